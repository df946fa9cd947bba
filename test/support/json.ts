/**
 * JSON of a server or a client program, of any shape. `unknown` would need a cast at each member that a test compares;
 * a member that is missing fails the comparison all the same.
 */
// biome-ignore lint/suspicious/noExplicitAny: a test states the shape by what it expects
export type Json = any;
