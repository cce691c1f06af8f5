#!/bin/sh
# Compiles the kernels, packs them with the graph, proves the package, and lets C++ hash it again.
#
#   build.sh [OUT]
#
# Needs `glslangValidator` and `interlock`; uses `interlock-cpp` if the variable INTERLOCK_CPP names it.
set -eu
out=${1:-reduction.tar}
case $out in /*) ;; *) out=$(pwd)/$out ;; esac
cd "$(dirname "$0")"
mkdir -p build

for kernel in slice_totals grand_total; do
  glslangValidator --target-env vulkan1.1 -o "build/$kernel.spv" "$kernel.comp" >/dev/null
done
interlock convert graph.txtpb --to binary -o build/reduction.binpb
interlock pack package.txtpb --pin --force -o "$out"
interlock verify "$out" --target vulkan
if [ -n "${INTERLOCK_CPP:-}" ]; then
  "$INTERLOCK_CPP" package check "$out"
fi
