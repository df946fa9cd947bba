import { useRef } from "preact/hooks";
import { send } from "../../api/client.ts";
import { addressOf } from "../../api/paths.ts";
import { attempt, showDone } from "../../state/toasts.ts";

interface OwnAvatarProps {
  readonly user: { readonly avatar_url: string | null };
  readonly onChange: () => void;
}

/** The user's avatar, with a button to change it. */
export function OwnAvatar({ user, onChange }: OwnAvatarProps) {
  const input = useRef<HTMLInputElement>(null);
  const upload = () =>
    attempt(async () => {
      const file = input.current?.files?.[0];
      if (input.current === null || file === undefined) return;
      const body = new FormData();
      body.set("avatar", file);
      const address = new URL(addressOf("/api/v4/user/avatar"), location.origin);
      await send(new Request(address, { method: "PUT", body }));
      input.current.value = "";
      showDone("Your picture is stored");
      onChange();
    });
  // The server may use another origin than this page.
  const picture = URL.parse(user.avatar_url ?? "")?.pathname;
  return (
    <div class="own-avatar">
      {picture !== undefined && <img src={picture} alt="" width={64} height={64} />}
      <div class="field">
        <label>
          Picture <input ref={input} type="file" accept="image/*" onChange={() => void upload()} />
        </label>
        <p class="help">An image of at most 200 KiB. It is stored at once.</p>
      </div>
    </div>
  );
}
