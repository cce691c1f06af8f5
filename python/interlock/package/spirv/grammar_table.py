"""The operands of every SPIR-V instruction, written by tools/make_spirv_grammar.py."""

from __future__ import annotations

GRAMMAR_VERSION = "1.6.4"
"""The version and revision of the grammar it was made from."""

OPERATIONS = """
0 Nop -; 1 Undef tr; 2 SourceContinued s; 3 Source eli?s?; 4 SourceExtension s; 5 Name is; 6 MemberName ils
7 String rs; 8 Line ill; 10 Extension s; 11 ExtInstImport rs; 12 ExtInst trili*; 14 MemoryModel ee
15 EntryPoint eisi*; 16 ExecutionMode ix; 17 Capability e; 19 TypeVoid r; 20 TypeBool r; 21 TypeInt rll
22 TypeFloat rle?; 23 TypeVector ril; 24 TypeMatrix ril; 25 TypeImage riellllee?; 26 TypeSampler r
27 TypeSampledImage ri; 28 TypeArray rii; 29 TypeRuntimeArray ri; 30 TypeStruct ri*; 31 TypeOpaque rs
32 TypePointer rei; 33 TypeFunction rii*; 34 TypeEvent r; 35 TypeDeviceEvent r; 36 TypeReserveId r
37 TypeQueue r; 38 TypePipe re; 39 TypeForwardPointer ie; 41 ConstantTrue tr; 42 ConstantFalse tr
43 Constant trn; 44 ConstantComposite tri*; 45 ConstantSampler trele; 46 ConstantNull tr
48 SpecConstantTrue tr; 49 SpecConstantFalse tr; 50 SpecConstant trn; 51 SpecConstantComposite tri*
52 SpecConstantOp tro; 54 Function trei; 55 FunctionParameter tr; 56 FunctionEnd -; 57 FunctionCall trii*
59 Variable trei?; 60 ImageTexelPointer triii; 61 Load trix?; 62 Store iix?; 63 CopyMemory iix?x?
64 CopyMemorySized iiix?x?; 65 AccessChain trii*; 66 InBoundsAccessChain trii*; 67 PtrAccessChain triii*
68 ArrayLength tril; 69 GenericPtrMemSemantics tri; 70 InBoundsPtrAccessChain triii*; 71 Decorate ix
72 MemberDecorate ilx; 73 DecorationGroup r; 74 GroupDecorate ii*; 75 GroupMemberDecorate iv*
77 VectorExtractDynamic trii; 78 VectorInsertDynamic triii; 79 VectorShuffle triil*
80 CompositeConstruct tri*; 81 CompositeExtract tril*; 82 CompositeInsert triil*; 83 CopyObject tri
84 Transpose tri; 86 SampledImage trii; 87 ImageSampleImplicitLod triim?; 88 ImageSampleExplicitLod triim
89 ImageSampleDrefImplicitLod triiim?; 90 ImageSampleDrefExplicitLod triiim
91 ImageSampleProjImplicitLod triim?; 92 ImageSampleProjExplicitLod triim
93 ImageSampleProjDrefImplicitLod triiim?; 94 ImageSampleProjDrefExplicitLod triiim; 95 ImageFetch triim?
96 ImageGather triiim?; 97 ImageDrefGather triiim?; 98 ImageRead triim?; 99 ImageWrite iiim?; 100 Image tri
101 ImageQueryFormat tri; 102 ImageQueryOrder tri; 103 ImageQuerySizeLod trii; 104 ImageQuerySize tri
105 ImageQueryLod trii; 106 ImageQueryLevels tri; 107 ImageQuerySamples tri; 109 ConvertFToU tri
110 ConvertFToS tri; 111 ConvertSToF tri; 112 ConvertUToF tri; 113 UConvert tri; 114 SConvert tri
115 FConvert tri; 116 QuantizeToF16 tri; 117 ConvertPtrToU tri; 118 SatConvertSToU tri
119 SatConvertUToS tri; 120 ConvertUToPtr tri; 121 PtrCastToGeneric tri; 122 GenericCastToPtr tri
123 GenericCastToPtrExplicit trie; 124 Bitcast tri; 126 SNegate tri; 127 FNegate tri; 128 IAdd trii
129 FAdd trii; 130 ISub trii; 131 FSub trii; 132 IMul trii; 133 FMul trii; 134 UDiv trii; 135 SDiv trii
136 FDiv trii; 137 UMod trii; 138 SRem trii; 139 SMod trii; 140 FRem trii; 141 FMod trii
142 VectorTimesScalar trii; 143 MatrixTimesScalar trii; 144 VectorTimesMatrix trii
145 MatrixTimesVector trii; 146 MatrixTimesMatrix trii; 147 OuterProduct trii; 148 Dot trii
149 IAddCarry trii; 150 ISubBorrow trii; 151 UMulExtended trii; 152 SMulExtended trii; 154 Any tri
155 All tri; 156 IsNan tri; 157 IsInf tri; 158 IsFinite tri; 159 IsNormal tri; 160 SignBitSet tri
161 LessOrGreater trii; 162 Ordered trii; 163 Unordered trii; 164 LogicalEqual trii
165 LogicalNotEqual trii; 166 LogicalOr trii; 167 LogicalAnd trii; 168 LogicalNot tri; 169 Select triii
170 IEqual trii; 171 INotEqual trii; 172 UGreaterThan trii; 173 SGreaterThan trii
174 UGreaterThanEqual trii; 175 SGreaterThanEqual trii; 176 ULessThan trii; 177 SLessThan trii
178 ULessThanEqual trii; 179 SLessThanEqual trii; 180 FOrdEqual trii; 181 FUnordEqual trii
182 FOrdNotEqual trii; 183 FUnordNotEqual trii; 184 FOrdLessThan trii; 185 FUnordLessThan trii
186 FOrdGreaterThan trii; 187 FUnordGreaterThan trii; 188 FOrdLessThanEqual trii
189 FUnordLessThanEqual trii; 190 FOrdGreaterThanEqual trii; 191 FUnordGreaterThanEqual trii
194 ShiftRightLogical trii; 195 ShiftRightArithmetic trii; 196 ShiftLeftLogical trii; 197 BitwiseOr trii
198 BitwiseXor trii; 199 BitwiseAnd trii; 200 Not tri; 201 BitFieldInsert triiii; 202 BitFieldSExtract triii
203 BitFieldUExtract triii; 204 BitReverse tri; 205 BitCount tri; 207 DPdx tri; 208 DPdy tri; 209 Fwidth tri
210 DPdxFine tri; 211 DPdyFine tri; 212 FwidthFine tri; 213 DPdxCoarse tri; 214 DPdyCoarse tri
215 FwidthCoarse tri; 218 EmitVertex -; 219 EndPrimitive -; 220 EmitStreamVertex i; 221 EndStreamPrimitive i
224 ControlBarrier iii; 225 MemoryBarrier ii; 227 AtomicLoad triii; 228 AtomicStore iiii
229 AtomicExchange triiii; 230 AtomicCompareExchange triiiiii; 231 AtomicCompareExchangeWeak triiiiii
232 AtomicIIncrement triii; 233 AtomicIDecrement triii; 234 AtomicIAdd triiii; 235 AtomicISub triiii
236 AtomicSMin triiii; 237 AtomicUMin triiii; 238 AtomicSMax triiii; 239 AtomicUMax triiii
240 AtomicAnd triiii; 241 AtomicOr triiii; 242 AtomicXor triiii; 245 Phi trp*; 246 LoopMerge iix
247 SelectionMerge ie; 248 Label r; 249 Branch i; 250 BranchConditional iiil*; 251 Switch iin*; 252 Kill -
253 Return -; 254 ReturnValue i; 255 Unreachable -; 256 LifetimeStart il; 257 LifetimeStop il
259 GroupAsyncCopy triiiiii; 260 GroupWaitEvents iii; 261 GroupAll trii; 262 GroupAny trii
263 GroupBroadcast triii; 264 GroupIAdd triei; 265 GroupFAdd triei; 266 GroupFMin triei; 267 GroupUMin triei
268 GroupSMin triei; 269 GroupFMax triei; 270 GroupUMax triei; 271 GroupSMax triei; 274 ReadPipe triiii
275 WritePipe triiii; 276 ReservedReadPipe triiiiii; 277 ReservedWritePipe triiiiii
278 ReserveReadPipePackets triiii; 279 ReserveWritePipePackets triiii; 280 CommitReadPipe iiii
281 CommitWritePipe iiii; 282 IsValidReserveId tri; 283 GetNumPipePackets triii; 284 GetMaxPipePackets triii
285 GroupReserveReadPipePackets triiiii; 286 GroupReserveWritePipePackets triiiii
287 GroupCommitReadPipe iiiii; 288 GroupCommitWritePipe iiiii; 291 EnqueueMarker triiii
292 EnqueueKernel triiiiiiiiiii*; 293 GetKernelNDrangeSubGroupCount triiiii
294 GetKernelNDrangeMaxSubGroupSize triiiii; 295 GetKernelWorkGroupSize triiii
296 GetKernelPreferredWorkGroupSizeMultiple triiii; 297 RetainEvent i; 298 ReleaseEvent i
299 CreateUserEvent tr; 300 IsValidEvent tri; 301 SetUserEventStatus ii; 302 CaptureEventProfilingInfo iii
303 GetDefaultQueue tr; 304 BuildNDRange triii; 305 ImageSparseSampleImplicitLod triim?
306 ImageSparseSampleExplicitLod triim; 307 ImageSparseSampleDrefImplicitLod triiim?
308 ImageSparseSampleDrefExplicitLod triiim; 309 ImageSparseSampleProjImplicitLod triim?
310 ImageSparseSampleProjExplicitLod triim; 311 ImageSparseSampleProjDrefImplicitLod triiim?
312 ImageSparseSampleProjDrefExplicitLod triiim; 313 ImageSparseFetch triim?; 314 ImageSparseGather triiim?
315 ImageSparseDrefGather triiim?; 316 ImageSparseTexelsResident tri; 317 NoLine -
318 AtomicFlagTestAndSet triii; 319 AtomicFlagClear iii; 320 ImageSparseRead triim?; 321 SizeOf tri
322 TypePipeStorage r; 323 ConstantPipeStorage trlll; 324 CreatePipeFromPipeStorage tri
325 GetKernelLocalSizeForSubgroupCount triiiii; 326 GetKernelMaxNumSubgroups triiii; 327 TypeNamedBarrier r
328 NamedBarrierInitialize tri; 329 MemoryNamedBarrier iii; 330 ModuleProcessed s; 331 ExecutionModeId ix
332 DecorateId ix; 333 GroupNonUniformElect tri; 334 GroupNonUniformAll trii; 335 GroupNonUniformAny trii
336 GroupNonUniformAllEqual trii; 337 GroupNonUniformBroadcast triii; 338 GroupNonUniformBroadcastFirst trii
339 GroupNonUniformBallot trii; 340 GroupNonUniformInverseBallot trii
341 GroupNonUniformBallotBitExtract triii; 342 GroupNonUniformBallotBitCount triei
343 GroupNonUniformBallotFindLSB trii; 344 GroupNonUniformBallotFindMSB trii
345 GroupNonUniformShuffle triii; 346 GroupNonUniformShuffleXor triii; 347 GroupNonUniformShuffleUp triii
348 GroupNonUniformShuffleDown triii; 349 GroupNonUniformIAdd trieii?; 350 GroupNonUniformFAdd trieii?
351 GroupNonUniformIMul trieii?; 352 GroupNonUniformFMul trieii?; 353 GroupNonUniformSMin trieii?
354 GroupNonUniformUMin trieii?; 355 GroupNonUniformFMin trieii?; 356 GroupNonUniformSMax trieii?
357 GroupNonUniformUMax trieii?; 358 GroupNonUniformFMax trieii?; 359 GroupNonUniformBitwiseAnd trieii?
360 GroupNonUniformBitwiseOr trieii?; 361 GroupNonUniformBitwiseXor trieii?
362 GroupNonUniformLogicalAnd trieii?; 363 GroupNonUniformLogicalOr trieii?
364 GroupNonUniformLogicalXor trieii?; 365 GroupNonUniformQuadBroadcast triii
366 GroupNonUniformQuadSwap triii; 400 CopyLogical tri; 401 PtrEqual trii; 402 PtrNotEqual trii
403 PtrDiff trii; 4160 ColorAttachmentReadEXT trii?; 4161 DepthAttachmentReadEXT tri?
4162 StencilAttachmentReadEXT tri?; 4163 TypeTensorARM rii?i?; 4164 TensorReadARM triim?
4165 TensorWriteARM iiim?; 4166 TensorQuerySizeARM trii; 4181 GraphConstantARM trl
4182 GraphEntryPointARM isi*; 4183 GraphARM tr; 4184 GraphInputARM trii*; 4185 GraphSetOutputARM iii*
4186 GraphEndARM -; 4190 TypeGraphARM rli*; 4416 TerminateInvocation -; 4417 TypeUntypedPointerKHR re
4418 UntypedVariableKHR trei?i?; 4419 UntypedAccessChainKHR triii*
4420 UntypedInBoundsAccessChainKHR triii*; 4421 SubgroupBallotKHR tri; 4422 SubgroupFirstInvocationKHR tri
4423 UntypedPtrAccessChainKHR triiii*; 4424 UntypedInBoundsPtrAccessChainKHR triiii*
4425 UntypedArrayLengthKHR triil; 4426 UntypedPrefetchKHR iii?i?i?; 4427 FmaKHR triii
4428 SubgroupAllKHR tri; 4429 SubgroupAnyKHR tri; 4430 SubgroupAllEqualKHR tri
4431 GroupNonUniformRotateKHR triiii?; 4432 SubgroupReadInvocationKHR trii
4433 ExtInstWithForwardRefsKHR trili*; 4434 UntypedGroupAsyncCopyKHR triiiiiiix?x?
4445 TraceRayKHR iiiiiiiiiii; 4446 ExecuteCallableKHR ii; 4447 ConvertUToAccelerationStructureKHR tri
4448 IgnoreIntersectionKHR -; 4449 TerminateRayKHR -; 4450 SDot triie?; 4451 UDot triie?; 4452 SUDot triie?
4453 SDotAccSat triiie?; 4454 UDotAccSat triiie?; 4455 SUDotAccSat triiie?
4456 TypeCooperativeMatrixKHR riiiii; 4457 CooperativeMatrixLoadKHR triii?x?
4458 CooperativeMatrixStoreKHR iiii?x?; 4459 CooperativeMatrixMulAddKHR triiie?
4460 CooperativeMatrixLengthKHR tri; 4461 ConstantCompositeReplicateEXT tri
4462 SpecConstantCompositeReplicateEXT tri; 4463 CompositeConstructReplicateEXT tri; 4472 TypeRayQueryKHR r
4473 RayQueryInitializeKHR iiiiiiii; 4474 RayQueryTerminateKHR i; 4475 RayQueryGenerateIntersectionKHR ii
4476 RayQueryConfirmIntersectionKHR i; 4477 RayQueryProceedKHR tri; 4479 RayQueryGetIntersectionTypeKHR trii
4480 ImageSampleWeightedQCOM triii; 4481 ImageBoxFilterQCOM triii; 4482 ImageBlockMatchSSDQCOM triiiii
4483 ImageBlockMatchSADQCOM triiiii; 4497 BitCastArrayQCOM tri; 4500 ImageBlockMatchWindowSSDQCOM triiiii
4501 ImageBlockMatchWindowSADQCOM triiiii; 4502 ImageBlockMatchGatherSSDQCOM triiiii
4503 ImageBlockMatchGatherSADQCOM triiiii; 4540 CompositeConstructCoopMatQCOM tri
4541 CompositeExtractCoopMatQCOM tri; 4542 ExtractSubArrayQCOM trii; 5000 GroupIAddNonUniformAMD triei
5001 GroupFAddNonUniformAMD triei; 5002 GroupFMinNonUniformAMD triei; 5003 GroupUMinNonUniformAMD triei
5004 GroupSMinNonUniformAMD triei; 5005 GroupFMaxNonUniformAMD triei; 5006 GroupUMaxNonUniformAMD triei
5007 GroupSMaxNonUniformAMD triei; 5011 FragmentMaskFetchAMD trii; 5012 FragmentFetchAMD triii
5056 ReadClockKHR tri; 5074 AllocateNodePayloadsAMDX triii; 5075 EnqueueNodePayloadsAMDX i
5076 TypeNodePayloadArrayAMDX ri; 5078 FinishWritingNodePayloadAMDX tri; 5090 NodePayloadArrayLengthAMDX tri
5101 IsNodePayloadValidAMDX trii; 5103 ConstantStringAMDX rs; 5104 SpecConstantStringAMDX rs
5110 GroupNonUniformQuadAllKHR tri; 5111 GroupNonUniformQuadAnyKHR tri
5249 HitObjectRecordHitMotionNV iiiiiiiiiiiiii; 5250 HitObjectRecordHitWithIndexMotionNV iiiiiiiiiiiii
5251 HitObjectRecordMissMotionNV iiiiiii; 5252 HitObjectGetWorldToObjectNV tri
5253 HitObjectGetObjectToWorldNV tri; 5254 HitObjectGetObjectRayDirectionNV tri
5255 HitObjectGetObjectRayOriginNV tri; 5256 HitObjectTraceRayMotionNV iiiiiiiiiiiii
5257 HitObjectGetShaderRecordBufferHandleNV tri; 5258 HitObjectGetShaderBindingTableRecordIndexNV tri
5259 HitObjectRecordEmptyNV i; 5260 HitObjectTraceRayNV iiiiiiiiiiii
5261 HitObjectRecordHitNV iiiiiiiiiiiii; 5262 HitObjectRecordHitWithIndexNV iiiiiiiiiiii
5263 HitObjectRecordMissNV iiiiii; 5264 HitObjectExecuteShaderNV ii; 5265 HitObjectGetCurrentTimeNV tri
5266 HitObjectGetAttributesNV ii; 5267 HitObjectGetHitKindNV tri; 5268 HitObjectGetPrimitiveIndexNV tri
5269 HitObjectGetGeometryIndexNV tri; 5270 HitObjectGetInstanceIdNV tri
5271 HitObjectGetInstanceCustomIndexNV tri; 5272 HitObjectGetWorldRayDirectionNV tri
5273 HitObjectGetWorldRayOriginNV tri; 5274 HitObjectGetRayTMaxNV tri; 5275 HitObjectGetRayTMinNV tri
5276 HitObjectIsEmptyNV tri; 5277 HitObjectIsHitNV tri; 5278 HitObjectIsMissNV tri
5279 ReorderThreadWithHitObjectNV ii?i?; 5280 ReorderThreadWithHintNV ii; 5281 TypeHitObjectNV r
5283 ImageSampleFootprintNV triiiim?; 5288 TypeCooperativeVectorNV rii
5289 CooperativeVectorMatrixMulNV triiiiiiiiii?e?; 5290 CooperativeVectorOuterProductAccumulateNV iiiiiii?
5291 CooperativeVectorReduceSumAccumulateNV iii; 5292 CooperativeVectorMatrixMulAddNV triiiiiiiiiiiii?e?
5293 CooperativeMatrixConvertNV tri; 5294 EmitMeshTasksEXT iiii?; 5295 SetMeshOutputsEXT ii
5296 GroupNonUniformPartitionNV tri; 5299 WritePackedPrimitiveIndices4x8NV ii
5300 FetchMicroTriangleVertexPositionNV triiiii; 5301 FetchMicroTriangleVertexBarycentricNV triiiii
5302 CooperativeVectorLoadNV triix?; 5303 CooperativeVectorStoreNV iiix?
5304 HitObjectRecordFromQueryEXT iiii; 5305 HitObjectRecordMissEXT iiiiiii
5306 HitObjectRecordMissMotionEXT iiiiiiii; 5307 HitObjectGetIntersectionTriangleVertexPositionsEXT tri
5308 HitObjectGetRayFlagsEXT tri; 5309 HitObjectSetShaderBindingTableRecordIndexEXT ii
5310 HitObjectReorderExecuteShaderEXT iii?i?; 5311 HitObjectTraceReorderExecuteEXT iiiiiiiiiiiii?i?
5312 HitObjectTraceMotionReorderExecuteEXT iiiiiiiiiiiiii?i?; 5313 TypeHitObjectEXT r
5314 ReorderThreadWithHintEXT ii; 5315 ReorderThreadWithHitObjectEXT ii?i?
5316 HitObjectTraceRayEXT iiiiiiiiiiii; 5317 HitObjectTraceRayMotionEXT iiiiiiiiiiiii
5318 HitObjectRecordEmptyEXT i; 5319 HitObjectExecuteShaderEXT ii; 5320 HitObjectGetCurrentTimeEXT tri
5321 HitObjectGetAttributesEXT ii; 5322 HitObjectGetHitKindEXT tri; 5323 HitObjectGetPrimitiveIndexEXT tri
5324 HitObjectGetGeometryIndexEXT tri; 5325 HitObjectGetInstanceIdEXT tri
5326 HitObjectGetInstanceCustomIndexEXT tri; 5327 HitObjectGetObjectRayOriginEXT tri
5328 HitObjectGetObjectRayDirectionEXT tri; 5329 HitObjectGetWorldRayDirectionEXT tri
5330 HitObjectGetWorldRayOriginEXT tri; 5331 HitObjectGetObjectToWorldEXT tri
5332 HitObjectGetWorldToObjectEXT tri; 5333 HitObjectGetRayTMaxEXT tri; 5334 ReportIntersectionKHR trii
5335 IgnoreIntersectionNV -; 5336 TerminateRayNV -; 5337 TraceNV iiiiiiiiiii
5338 TraceMotionNV iiiiiiiiiiii; 5339 TraceRayMotionNV iiiiiiiiiiii
5340 RayQueryGetIntersectionTriangleVertexPositionsKHR trii; 5341 TypeAccelerationStructureKHR r
5344 ExecuteCallableNV ii; 5345 RayQueryGetIntersectionClusterIdNV trii; 5346 HitObjectGetClusterIdNV tri
5347 HitObjectGetRayTMinEXT tri; 5348 HitObjectGetShaderBindingTableRecordIndexEXT tri
5349 HitObjectGetShaderRecordBufferHandleEXT tri; 5350 HitObjectIsEmptyEXT tri; 5351 HitObjectIsHitEXT tri
5352 HitObjectIsMissEXT tri; 5358 TypeCooperativeMatrixNV riiii; 5359 CooperativeMatrixLoadNV triiix?
5360 CooperativeMatrixStoreNV iiiix?; 5361 CooperativeMatrixMulAddNV triii
5362 CooperativeMatrixLengthNV tri; 5364 BeginInvocationInterlockEXT -; 5365 EndInvocationInterlockEXT -
5366 CooperativeMatrixReduceNV triei; 5367 CooperativeMatrixLoadTensorNV triiixm
5368 CooperativeMatrixStoreTensorNV iiixm; 5369 CooperativeMatrixPerElementOpNV triii*
5370 TypeTensorLayoutNV rii; 5371 TypeTensorViewNV riii*; 5372 CreateTensorLayoutNV tr
5373 TensorLayoutSetDimensionNV trii*; 5374 TensorLayoutSetStrideNV trii*; 5375 TensorLayoutSliceNV trii*
5376 TensorLayoutSetClampValueNV trii; 5377 CreateTensorViewNV tr; 5378 TensorViewSetDimensionNV trii*
5379 TensorViewSetStrideNV trii*; 5380 DemoteToHelperInvocation -; 5381 IsHelperInvocationEXT tr
5382 TensorViewSetClipNV triiiii; 5384 TensorLayoutSetBlockSizeNV trii*
5390 CooperativeMatrixTransposeNV tri; 5391 ConvertUToImageNV tri; 5392 ConvertUToSamplerNV tri
5393 ConvertImageToUNV tri; 5394 ConvertSamplerToUNV tri; 5395 ConvertUToSampledImageNV tri
5396 ConvertSampledImageToUNV tri; 5397 SamplerImageAddressingModeNV l; 5398 RawAccessChainNV triiiie?
5427 RayQueryGetIntersectionSpherePositionNV trii; 5428 RayQueryGetIntersectionSphereRadiusNV trii
5429 RayQueryGetIntersectionLSSPositionsNV trii; 5430 RayQueryGetIntersectionLSSRadiiNV trii
5431 RayQueryGetIntersectionLSSHitValueNV trii; 5432 HitObjectGetSpherePositionNV tri
5433 HitObjectGetSphereRadiusNV tri; 5434 HitObjectGetLSSPositionsNV tri; 5435 HitObjectGetLSSRadiiNV tri
5436 HitObjectIsSphereHitNV tri; 5437 HitObjectIsLSSHitNV tri; 5438 RayQueryIsSphereHitNV trii
5439 RayQueryIsLSSHitNV trii; 5571 SubgroupShuffleINTEL trii; 5572 SubgroupShuffleDownINTEL triii
5573 SubgroupShuffleUpINTEL triii; 5574 SubgroupShuffleXorINTEL trii; 5575 SubgroupBlockReadINTEL tri
5576 SubgroupBlockWriteINTEL ii; 5577 SubgroupImageBlockReadINTEL trii
5578 SubgroupImageBlockWriteINTEL iii; 5580 SubgroupImageMediaBlockReadINTEL triiii
5581 SubgroupImageMediaBlockWriteINTEL iiiii; 5585 UCountLeadingZerosINTEL tri
5586 UCountTrailingZerosINTEL tri; 5587 AbsISubINTEL trii; 5588 AbsUSubINTEL trii; 5589 IAddSatINTEL trii
5590 UAddSatINTEL trii; 5591 IAverageINTEL trii; 5592 UAverageINTEL trii; 5593 IAverageRoundedINTEL trii
5594 UAverageRoundedINTEL trii; 5595 ISubSatINTEL trii; 5596 USubSatINTEL trii; 5597 IMul32x16INTEL trii
5598 UMul32x16INTEL trii; 5600 ConstantFunctionPointerINTEL tri; 5601 FunctionPointerCallINTEL tri*
5609 AsmTargetINTEL rs; 5610 AsmINTEL triiss; 5611 AsmCallINTEL trii*; 5614 AtomicFMinEXT triiii
5615 AtomicFMaxEXT triiii; 5630 AssumeTrueKHR i; 5631 ExpectKHR trii; 5632 DecorateString ix
5633 MemberDecorateString ilx; 5699 VmeImageINTEL trii; 5700 TypeVmeImageINTEL ri
5701 TypeAvcImePayloadINTEL r; 5702 TypeAvcRefPayloadINTEL r; 5703 TypeAvcSicPayloadINTEL r
5704 TypeAvcMcePayloadINTEL r; 5705 TypeAvcMceResultINTEL r; 5706 TypeAvcImeResultINTEL r
5707 TypeAvcImeResultSingleReferenceStreamoutINTEL r; 5708 TypeAvcImeResultDualReferenceStreamoutINTEL r
5709 TypeAvcImeSingleReferenceStreaminINTEL r; 5710 TypeAvcImeDualReferenceStreaminINTEL r
5711 TypeAvcRefResultINTEL r; 5712 TypeAvcSicResultINTEL r
5713 SubgroupAvcMceGetDefaultInterBaseMultiReferencePenaltyINTEL trii
5714 SubgroupAvcMceSetInterBaseMultiReferencePenaltyINTEL trii
5715 SubgroupAvcMceGetDefaultInterShapePenaltyINTEL trii; 5716 SubgroupAvcMceSetInterShapePenaltyINTEL trii
5717 SubgroupAvcMceGetDefaultInterDirectionPenaltyINTEL trii
5718 SubgroupAvcMceSetInterDirectionPenaltyINTEL trii
5719 SubgroupAvcMceGetDefaultIntraLumaShapePenaltyINTEL trii
5720 SubgroupAvcMceGetDefaultInterMotionVectorCostTableINTEL trii
5721 SubgroupAvcMceGetDefaultHighPenaltyCostTableINTEL tr
5722 SubgroupAvcMceGetDefaultMediumPenaltyCostTableINTEL tr
5723 SubgroupAvcMceGetDefaultLowPenaltyCostTableINTEL tr
5724 SubgroupAvcMceSetMotionVectorCostFunctionINTEL triiii
5725 SubgroupAvcMceGetDefaultIntraLumaModePenaltyINTEL trii
5726 SubgroupAvcMceGetDefaultNonDcLumaIntraPenaltyINTEL tr
5727 SubgroupAvcMceGetDefaultIntraChromaModeBasePenaltyINTEL tr; 5728 SubgroupAvcMceSetAcOnlyHaarINTEL tri
5729 SubgroupAvcMceSetSourceInterlacedFieldPolarityINTEL trii
5730 SubgroupAvcMceSetSingleReferenceInterlacedFieldPolarityINTEL trii
5731 SubgroupAvcMceSetDualReferenceInterlacedFieldPolaritiesINTEL triii
5732 SubgroupAvcMceConvertToImePayloadINTEL tri; 5733 SubgroupAvcMceConvertToImeResultINTEL tri
5734 SubgroupAvcMceConvertToRefPayloadINTEL tri; 5735 SubgroupAvcMceConvertToRefResultINTEL tri
5736 SubgroupAvcMceConvertToSicPayloadINTEL tri; 5737 SubgroupAvcMceConvertToSicResultINTEL tri
5738 SubgroupAvcMceGetMotionVectorsINTEL tri; 5739 SubgroupAvcMceGetInterDistortionsINTEL tri
5740 SubgroupAvcMceGetBestInterDistortionsINTEL tri; 5741 SubgroupAvcMceGetInterMajorShapeINTEL tri
5742 SubgroupAvcMceGetInterMinorShapeINTEL tri; 5743 SubgroupAvcMceGetInterDirectionsINTEL tri
5744 SubgroupAvcMceGetInterMotionVectorCountINTEL tri; 5745 SubgroupAvcMceGetInterReferenceIdsINTEL tri
5746 SubgroupAvcMceGetInterReferenceInterlacedFieldPolaritiesINTEL triii
5747 SubgroupAvcImeInitializeINTEL triii; 5748 SubgroupAvcImeSetSingleReferenceINTEL triii
5749 SubgroupAvcImeSetDualReferenceINTEL triiii; 5750 SubgroupAvcImeRefWindowSizeINTEL trii
5751 SubgroupAvcImeAdjustRefOffsetINTEL triiii; 5752 SubgroupAvcImeConvertToMcePayloadINTEL tri
5753 SubgroupAvcImeSetMaxMotionVectorCountINTEL trii
5754 SubgroupAvcImeSetUnidirectionalMixDisableINTEL tri
5755 SubgroupAvcImeSetEarlySearchTerminationThresholdINTEL trii; 5756 SubgroupAvcImeSetWeightedSadINTEL trii
5757 SubgroupAvcImeEvaluateWithSingleReferenceINTEL triii
5758 SubgroupAvcImeEvaluateWithDualReferenceINTEL triiii
5759 SubgroupAvcImeEvaluateWithSingleReferenceStreaminINTEL triiii
5760 SubgroupAvcImeEvaluateWithDualReferenceStreaminINTEL triiiii
5761 SubgroupAvcImeEvaluateWithSingleReferenceStreamoutINTEL triii
5762 SubgroupAvcImeEvaluateWithDualReferenceStreamoutINTEL triiii
5763 SubgroupAvcImeEvaluateWithSingleReferenceStreaminoutINTEL triiii
5764 SubgroupAvcImeEvaluateWithDualReferenceStreaminoutINTEL triiiii
5765 SubgroupAvcImeConvertToMceResultINTEL tri; 5766 SubgroupAvcImeGetSingleReferenceStreaminINTEL tri
5767 SubgroupAvcImeGetDualReferenceStreaminINTEL tri
5768 SubgroupAvcImeStripSingleReferenceStreamoutINTEL tri
5769 SubgroupAvcImeStripDualReferenceStreamoutINTEL tri
5770 SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeMotionVectorsINTEL trii
5771 SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeDistortionsINTEL trii
5772 SubgroupAvcImeGetStreamoutSingleReferenceMajorShapeReferenceIdsINTEL trii
5773 SubgroupAvcImeGetStreamoutDualReferenceMajorShapeMotionVectorsINTEL triii
5774 SubgroupAvcImeGetStreamoutDualReferenceMajorShapeDistortionsINTEL triii
5775 SubgroupAvcImeGetStreamoutDualReferenceMajorShapeReferenceIdsINTEL triii
5776 SubgroupAvcImeGetBorderReachedINTEL trii; 5777 SubgroupAvcImeGetTruncatedSearchIndicationINTEL tri
5778 SubgroupAvcImeGetUnidirectionalEarlySearchTerminationINTEL tri
5779 SubgroupAvcImeGetWeightingPatternMinimumMotionVectorINTEL tri
5780 SubgroupAvcImeGetWeightingPatternMinimumDistortionINTEL tri
5781 SubgroupAvcFmeInitializeINTEL triiiiiii; 5782 SubgroupAvcBmeInitializeINTEL triiiiiiii
5783 SubgroupAvcRefConvertToMcePayloadINTEL tri; 5784 SubgroupAvcRefSetBidirectionalMixDisableINTEL tri
5785 SubgroupAvcRefSetBilinearFilterEnableINTEL tri
5786 SubgroupAvcRefEvaluateWithSingleReferenceINTEL triii
5787 SubgroupAvcRefEvaluateWithDualReferenceINTEL triiii
5788 SubgroupAvcRefEvaluateWithMultiReferenceINTEL triii
5789 SubgroupAvcRefEvaluateWithMultiReferenceInterlacedINTEL triiii
5790 SubgroupAvcRefConvertToMceResultINTEL tri; 5791 SubgroupAvcSicInitializeINTEL tri
5792 SubgroupAvcSicConfigureSkcINTEL triiiiii; 5793 SubgroupAvcSicConfigureIpeLumaINTEL triiiiiiii
5794 SubgroupAvcSicConfigureIpeLumaChromaINTEL triiiiiiiiiii
5795 SubgroupAvcSicGetMotionVectorMaskINTEL trii; 5796 SubgroupAvcSicConvertToMcePayloadINTEL tri
5797 SubgroupAvcSicSetIntraLumaShapePenaltyINTEL trii
5798 SubgroupAvcSicSetIntraLumaModeCostFunctionINTEL triiii
5799 SubgroupAvcSicSetIntraChromaModeCostFunctionINTEL trii
5800 SubgroupAvcSicSetBilinearFilterEnableINTEL tri
5801 SubgroupAvcSicSetSkcForwardTransformEnableINTEL trii
5802 SubgroupAvcSicSetBlockBasedRawSkipSadINTEL trii; 5803 SubgroupAvcSicEvaluateIpeINTEL trii
5804 SubgroupAvcSicEvaluateWithSingleReferenceINTEL triii
5805 SubgroupAvcSicEvaluateWithDualReferenceINTEL triiii
5806 SubgroupAvcSicEvaluateWithMultiReferenceINTEL triii
5807 SubgroupAvcSicEvaluateWithMultiReferenceInterlacedINTEL triiii
5808 SubgroupAvcSicConvertToMceResultINTEL tri; 5809 SubgroupAvcSicGetIpeLumaShapeINTEL tri
5810 SubgroupAvcSicGetBestIpeLumaDistortionINTEL tri; 5811 SubgroupAvcSicGetBestIpeChromaDistortionINTEL tri
5812 SubgroupAvcSicGetPackedIpeLumaModesINTEL tri; 5813 SubgroupAvcSicGetIpeChromaModeINTEL tri
5814 SubgroupAvcSicGetPackedSkcLumaCountThresholdINTEL tri
5815 SubgroupAvcSicGetPackedSkcLumaSumThresholdINTEL tri; 5816 SubgroupAvcSicGetInterRawSadsINTEL tri
5818 VariableLengthArrayINTEL tri; 5819 SaveMemoryINTEL tr; 5820 RestoreMemoryINTEL i
5840 ArbitraryFloatSinCosPiALTERA trilllll; 5841 ArbitraryFloatCastALTERA trilllll
5842 ArbitraryFloatCastFromIntALTERA trilllll; 5843 ArbitraryFloatCastToIntALTERA trilllll
5846 ArbitraryFloatAddALTERA trililllll; 5847 ArbitraryFloatSubALTERA trililllll
5848 ArbitraryFloatMulALTERA trililllll; 5849 ArbitraryFloatDivALTERA trililllll
5850 ArbitraryFloatGTALTERA trilil; 5851 ArbitraryFloatGEALTERA trilil; 5852 ArbitraryFloatLTALTERA trilil
5853 ArbitraryFloatLEALTERA trilil; 5854 ArbitraryFloatEQALTERA trilil
5855 ArbitraryFloatRecipALTERA trilllll; 5856 ArbitraryFloatRSqrtALTERA trilllll
5857 ArbitraryFloatCbrtALTERA trilllll; 5858 ArbitraryFloatHypotALTERA trililllll
5859 ArbitraryFloatSqrtALTERA trilllll; 5860 ArbitraryFloatLogINTEL trilllll
5861 ArbitraryFloatLog2INTEL trilllll; 5862 ArbitraryFloatLog10INTEL trilllll
5863 ArbitraryFloatLog1pINTEL trilllll; 5864 ArbitraryFloatExpINTEL trilllll
5865 ArbitraryFloatExp2INTEL trilllll; 5866 ArbitraryFloatExp10INTEL trilllll
5867 ArbitraryFloatExpm1INTEL trilllll; 5868 ArbitraryFloatSinINTEL trilllll
5869 ArbitraryFloatCosINTEL trilllll; 5870 ArbitraryFloatSinCosINTEL trilllll
5871 ArbitraryFloatSinPiINTEL trilllll; 5872 ArbitraryFloatCosPiINTEL trilllll
5873 ArbitraryFloatASinINTEL trilllll; 5874 ArbitraryFloatASinPiINTEL trilllll
5875 ArbitraryFloatACosINTEL trilllll; 5876 ArbitraryFloatACosPiINTEL trilllll
5877 ArbitraryFloatATanINTEL trilllll; 5878 ArbitraryFloatATanPiINTEL trilllll
5879 ArbitraryFloatATan2INTEL trililllll; 5880 ArbitraryFloatPowINTEL trililllll
5881 ArbitraryFloatPowRINTEL trililllll; 5882 ArbitraryFloatPowNINTEL trililllll; 5887 LoopControlINTEL l*
5911 AliasDomainDeclINTEL ri?; 5912 AliasScopeDeclINTEL rii?; 5913 AliasScopeListDeclINTEL ri*
5923 FixedSqrtALTERA trilllll; 5924 FixedRecipALTERA trilllll; 5925 FixedRsqrtALTERA trilllll
5926 FixedSinALTERA trilllll; 5927 FixedCosALTERA trilllll; 5928 FixedSinCosALTERA trilllll
5929 FixedSinPiALTERA trilllll; 5930 FixedCosPiALTERA trilllll; 5931 FixedSinCosPiALTERA trilllll
5932 FixedLogALTERA trilllll; 5933 FixedExpALTERA trilllll; 5934 PtrCastToCrossWorkgroupALTERA tri
5938 CrossWorkgroupCastToPtrALTERA tri; 5946 ReadPipeBlockingALTERA trii; 5947 WritePipeBlockingALTERA trii
5949 FPGARegALTERA tri; 6016 RayQueryGetRayTMinKHR tri; 6017 RayQueryGetRayFlagsKHR tri
6018 RayQueryGetIntersectionTKHR trii; 6019 RayQueryGetIntersectionInstanceCustomIndexKHR trii
6020 RayQueryGetIntersectionInstanceIdKHR trii
6021 RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR trii
6022 RayQueryGetIntersectionGeometryIndexKHR trii; 6023 RayQueryGetIntersectionPrimitiveIndexKHR trii
6024 RayQueryGetIntersectionBarycentricsKHR trii; 6025 RayQueryGetIntersectionFrontFaceKHR trii
6026 RayQueryGetIntersectionCandidateAABBOpaqueKHR tri
6027 RayQueryGetIntersectionObjectRayDirectionKHR trii; 6028 RayQueryGetIntersectionObjectRayOriginKHR trii
6029 RayQueryGetWorldRayDirectionKHR tri; 6030 RayQueryGetWorldRayOriginKHR tri
6031 RayQueryGetIntersectionObjectToWorldKHR trii; 6032 RayQueryGetIntersectionWorldToObjectKHR trii
6035 AtomicFAddEXT triiii; 6086 TypeBufferSurfaceINTEL re; 6090 TypeStructContinuedINTEL i*
6091 ConstantCompositeContinuedINTEL i*; 6092 SpecConstantCompositeContinuedINTEL i*
6096 CompositeConstructContinuedINTEL tri*; 6116 ConvertFToBF16INTEL tri; 6117 ConvertBF16ToFINTEL tri
6142 ControlBarrierArriveINTEL iii; 6143 ControlBarrierWaitINTEL iii; 6145 ArithmeticFenceEXT tri
6163 TaskSequenceCreateALTERA trillll; 6164 TaskSequenceAsyncALTERA ii*; 6165 TaskSequenceGetALTERA tri
6166 TaskSequenceReleaseALTERA i; 6199 TypeTaskSequenceALTERA r; 6221 SubgroupBlockPrefetchINTEL iix?
6231 Subgroup2DBlockLoadINTEL iiiiiiiiii; 6232 Subgroup2DBlockLoadTransformINTEL iiiiiiiiii
6233 Subgroup2DBlockLoadTransposeINTEL iiiiiiiiii; 6234 Subgroup2DBlockPrefetchINTEL iiiiiiiii
6235 Subgroup2DBlockStoreINTEL iiiiiiiiii; 6237 SubgroupMatrixMultiplyAccumulateINTEL triiiie?
6242 BitwiseFunctionINTEL triiii; 6244 UntypedVariableLengthArrayINTEL trii
6248 ConditionalExtensionINTEL is; 6249 ConditionalEntryPointINTEL ieisi*
6250 ConditionalCapabilityINTEL ie; 6251 SpecConstantTargetINTEL trll*
6252 SpecConstantArchitectureINTEL trllll; 6253 SpecConstantCapabilitiesINTEL tre*
6254 ConditionalCopyObjectINTEL tri*; 6401 GroupIMulKHR triei; 6402 GroupFMulKHR triei
6403 GroupBitwiseAndKHR triei; 6404 GroupBitwiseOrKHR triei; 6405 GroupBitwiseXorKHR triei
6406 GroupLogicalAndKHR triei; 6407 GroupLogicalOrKHR triei; 6408 GroupLogicalXorKHR triei
6426 RoundFToTF32INTEL tri; 6428 MaskedGatherINTEL trilii; 6429 MaskedScatterINTEL iili
6529 ConvertHandleToImageINTEL tri; 6530 ConvertHandleToSamplerINTEL tri
6531 ConvertHandleToSampledImageINTEL tri
"""
"""One entry an instruction: opcode, name without `Op`, operands.

Operands: `t` result type, `r` result, `i` id, `l` one literal word, `s` string, `n` a number or pairs whose
width depends on a type, `o` opcode, `p` pair of ids, `v` id and literal, `e` enum or mask, `m` mask that ids
may follow, `x` enum or mask that other words may follow. `?` once or not at all, `*` any number.
"""
