/**
 * JSON of a server or a client program, of any shape. `unknown` would need a cast at each member that a test compares;
 * a member that is missing fails the comparison all the same.
 */
export type Json = ReturnType<typeof JSON.parse>;
