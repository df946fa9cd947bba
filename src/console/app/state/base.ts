/** Where the server lies below its host: empty, or as `/outpost`. */
export const basePath = document.documentElement.dataset.base ?? "";

/** Where the console lies below the host. */
export const consolePath = `${basePath}/-/console`;
