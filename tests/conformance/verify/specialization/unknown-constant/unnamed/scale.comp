#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer X { float x[]; };
layout(std430, binding = 1) writeonly buffer Y { float y[]; };
void main() { y[gl_GlobalInvocationID.x] = 2.0 * x[gl_GlobalInvocationID.x]; }
