/** The release of the REST API that is served: three numbers first, as clients parse it (users-and-auth 19). */
export const apiVersion = "17.11.0";

declare const OUTPOST_REVISION: string | undefined;

/** The first eight digits of the commit that the executable was built from; zeros for a run from the sources. */
export const revision: string = typeof OUTPOST_REVISION === "string" ? OUTPOST_REVISION : "00000000";

/** Versions of OpenAPI in which the API is described. */
export const openApiVersions = ["3.1", "3.0"] as const;
export type OpenApiVersion = (typeof openApiVersions)[number];

/** The title of the OpenAPI document, by which `outpost selftest` knows Outpost. */
export const apiTitle = "Outpost API";
