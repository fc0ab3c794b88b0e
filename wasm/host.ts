// Functions of the engine, imported from JavaScript's Math. The compiler's own differ from them in the last bits. With
// the engine's, a fix in the core has the same bits as its twin in JavaScript. V8 calls its routines directly for these
// imports, so one costs little more than in JavaScript.

export declare function exp(x: f64): f64;
export declare function log(x: f64): f64;
export declare function pow(x: f64, y: f64): f64;
