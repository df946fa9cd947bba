const schemeAndSlashes = /^\s*[a-z][a-z0-9+.-]*:[/\\]{2}/i;

/** Removes user and password from an address; from other texts, everything before the last `@`. */
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
