// The beginning of every script that uses @gitbeaker/rest: the administrator's client of the server at HOST with TOKEN.
import { Gitlab } from "@gitbeaker/rest";

export const { HOST: host, TOKEN: token } = process.env;
export const api = new Gitlab({ host, token });

/** The status of a refused call, or "accepted". */
export const statusOf = (call) =>
  call.then(
    () => "accepted",
    ({ cause }) => cause?.response?.status,
  );

/** The status and the description of a refused call, or "accepted". */
export const refusal = (call) =>
  call.then(
    () => "accepted",
    ({ cause }) => ({ status: cause?.response?.status, description: cause?.description }),
  );

/** Creates a user with a token of their own, and returns their client. */
export async function person(username, name = username) {
  const email = `${username}@skylark.example`;
  const user = await api.Users.create({ email, username, name, forceRandomPassword: true });
  const own = await api.Users.createPersonalAccessToken(user.id, "laptop", ["api"]);
  return { id: user.id, token: own.token, api: new Gitlab({ host, token: own.token }) };
}
