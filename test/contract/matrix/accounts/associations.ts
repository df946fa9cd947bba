import { at, type Samples } from "../scene.ts";

export function associationSamples(): Samples {
  return {
    "GET /users/:id/associations_count": (caller) => ({ path: `/users/${caller.id}/associations_count` }),
    "GET /personal_access_tokens/self/associations": at("/personal_access_tokens/self/associations"),
  };
}
