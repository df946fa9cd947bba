import { hrefOf, place } from "../../state/router.ts";

const tabs = [
  ["/profile", "Profile"],
  ["/profile/password", "Password"],
  ["/profile/tokens", "Access tokens"],
  ["/profile/notifications", "Notifications"],
  ["/sessions", "Sessions"],
] as const;

/** The tabs of the user's own account. */
export function AccountTabs() {
  const { path } = place.value;
  return (
    <nav aria-label="Your account" class="project">
      <ul class="tabs">
        {tabs.map(([address, text]) => (
          <li key={address}>
            <a href={hrefOf(address)} aria-current={path === address ? "page" : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
