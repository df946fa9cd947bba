import { useState } from "preact/hooks";
import { curlOf, type ShownCall } from "../api/curl.ts";
import { CopyButton } from "./copy-button.tsx";
import { Dialog } from "./dialog.tsx";

/** Shows how a script makes the call of a list or a form. */
export function ApiButton({ call }: { readonly call: ShownCall }) {
  const [isOpen, setOpen] = useState(false);
  const command = curlOf(call);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        API
      </button>
      {isOpen && (
        <Dialog title="The same by a script" onClose={() => setOpen(false)}>
          <p>Put an access token into the variable TOKEN.</p>
          <textarea class="code" rows={4} readOnly aria-label="Command" value={command} />
          <div class="actions">
            <CopyButton text={command} />
          </div>
        </Dialog>
      )}
    </>
  );
}
