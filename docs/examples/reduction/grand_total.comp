#version 450
// One invocation adds up as many totals as the pipeline is specialized for.
layout(local_size_x = 1) in;
layout(constant_id = 0) const uint COUNT = 1u;
layout(std430, set = 0, binding = 0) readonly buffer Partials { uint partials[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Total { uint total[]; };

void main() {
  uint sum = 0u;
  for (uint i = 0u; i < COUNT; ++i) {
    sum += partials[i];
  }
  total[0] = sum;
}
