import type { ComponentChildren } from "preact";

/** A list of names and values. Values that users wrote have an isolated text direction. */
export function Facts({ of: facts }: { readonly of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            <bdi>{value ?? "…"}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
