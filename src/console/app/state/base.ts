/** The path of the server below its host: empty, or such as `/outpost`. */
export const basePath = document.documentElement.dataset.base ?? "";

/** The path of the console below the host. */
export const consolePath = `${basePath}/-/console`;
