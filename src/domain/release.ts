/** The version of the served REST API. It starts with three numbers, which clients parse (users-and-auth 19). */
export const apiVersion = "17.11.0";

declare const OUTPOST_REVISION: string | undefined;

/** The first eight digits of the built commit; zeros when run from the sources. */
export const revision: string = typeof OUTPOST_REVISION === "string" ? OUTPOST_REVISION : "00000000";

/** The OpenAPI versions of the API description. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

/** The title of the OpenAPI document, by which `outpost selftest` recognises Outpost. */
export const apiTitle = "Outpost API";
