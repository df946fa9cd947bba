import { hrefOf, place } from "../../state/router.ts";

interface TabsProps {
  /** The accessible name of the navigation. */
  readonly label: string;
  /** The name of the group or project. */
  readonly name: string;
  /** The address of which the tabs are part. */
  readonly base: string;
  readonly tabs: readonly (readonly [below: string, text: string])[];
}

/** The tabs of a group or project. */
export function Tabs({ label, name, base, tabs }: TabsProps) {
  const { path } = place.value;
  return (
    <nav aria-label={label} class="project">
      <p>
        <bdi>{name}</bdi>
      </p>
      <ul class="tabs">
        {tabs.map(([below, text]) => {
          const address = `${base}${below}`;
          const isHere = below === "" ? path === address : path === address || path.startsWith(`${address}/`);
          return (
            <li key={text}>
              <a href={hrefOf(address)} aria-current={isHere ? "page" : undefined}>
                {text}
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
