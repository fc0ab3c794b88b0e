// Typed views over the memory that holds queries.

/** Views over one buffer, which may be shared between threads. Offsets are bytes; a query begins at a multiple of 8. */
export class QueryMemory {
  readonly buffer: ArrayBufferLike;
  readonly u8: Uint8Array;
  readonly u16: Uint16Array;
  readonly i16: Int16Array;
  readonly u32: Uint32Array;
  readonly i32: Int32Array;
  readonly f32: Float32Array;
  readonly f64: Float64Array;

  constructor(buffer: ArrayBufferLike) {
    this.buffer = buffer;
    this.u8 = new Uint8Array(buffer);
    this.u16 = new Uint16Array(buffer);
    this.i16 = new Int16Array(buffer);
    this.u32 = new Uint32Array(buffer);
    this.i32 = new Int32Array(buffer);
    this.f32 = new Float32Array(buffer);
    this.f64 = new Float64Array(buffer);
  }
}
