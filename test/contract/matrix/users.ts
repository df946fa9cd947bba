import { at, type Samples, type Scene } from "./scene.ts";

export function userSamples({ ann, fresh }: Scene): Samples {
  return {
    "GET /-/avatars/:picture": at("/-/avatars/1.svg"),
    "GET /users": at("/users", { query: { username: "ann" } }),
    "GET /users/:id": at(`/users/${ann.id}`),
    "GET /user": at("/user"),
    "POST /users": () => {
      const username = fresh();
      const json = { username, name: username, email: `${username}@people.example`, force_random_password: true };
      return { path: "/users", options: { json } };
    },
  };
}
