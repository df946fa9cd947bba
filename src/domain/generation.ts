/** The generation of a first start, and of a store that is older than generations. */
export const firstGeneration = "0001";
