import type { ComponentChildren } from "preact";

/** Names with their values. Values that users wrote are isolated from the direction of the rest. */
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
