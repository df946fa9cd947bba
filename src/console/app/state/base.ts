/** Path of the server below its host: empty, or as `/outpost`. */
export const basePath = document.documentElement.dataset.base ?? "";

/** Path of the console below the host. */
export const consolePath = `${basePath}/-/console`;
