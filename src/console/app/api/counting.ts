import pLimit from "p-limit";

/** Many counts for a plot, two at a time: a browser has six connections, and the list beside the plot comes first. */
export const counting = pLimit(2);
