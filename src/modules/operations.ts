/** All operations, for code that needs each of them. A server loads them by area. */

import { productModules } from "./index.ts";

export const apiTags = await productModules.operations.tags();
export const operations = await productModules.operations.loadAll();
