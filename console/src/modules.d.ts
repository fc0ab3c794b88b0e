// What the bundler makes of imports that are no code.

declare module '*.css' {}
declare module '*.svg' {
  /** The address of the file. */
  const address: string;
  export default address;
}
declare module '*?url' {
  /** The address of the file. */
  const address: string;
  export default address;
}
