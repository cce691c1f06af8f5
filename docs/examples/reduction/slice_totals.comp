#version 450
// Each workgroup adds up 128 neighbouring samples.
layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) readonly buffer Samples { uint samples[]; };
layout(std430, set = 0, binding = 1) writeonly buffer Partials { uint partials[]; };
shared uint sums[64];

void main() {
  uint lane = gl_LocalInvocationID.x;
  uint first = gl_WorkGroupID.x * 128u + lane;
  sums[lane] = samples[first] + samples[first + 64u];
  for (uint half_size = 32u; half_size > 0u; half_size /= 2u) {
    barrier();
    if (lane < half_size) {
      sums[lane] += sums[lane + half_size];
    }
  }
  if (lane == 0u) {
    partials[gl_WorkGroupID.x] = sums[0];
  }
}
