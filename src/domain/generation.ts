/** The name of the generation that a first start makes. */
export const firstGeneration = "0001";
