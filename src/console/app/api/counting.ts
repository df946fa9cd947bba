import pLimit from "p-limit";

/** Limits the counts of a plot to two at a time: a browser has six connections, and the list beside the plot comes first. */
export const counting = pLimit(2);
