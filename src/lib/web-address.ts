const schemeAndSlashes = /^\s*[a-z][a-z0-9+.-]*:[/\\]{2}/i;

/** An address without the user and the password in it; anything else loses everything before its last `@`. */
export function withoutUserinfo(address: string): string {
  const url = URL.parse(address);
  if (url !== null && url.host !== "") {
    if (url.username === "" && url.password === "") return address;
    url.username = "";
    url.password = "";
    return url.href;
  }
  if (!address.includes("@")) return address;
  const [start = ""] = schemeAndSlashes.exec(address) ?? [];
  return `${start}${address.slice(address.lastIndexOf("@") + 1)}`;
}
