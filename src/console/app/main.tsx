import { render } from "preact";
import { App } from "./frame/app.tsx";
import { followLinks, go } from "./state/router.ts";
import { findSession } from "./state/session.ts";
import { showError } from "./state/toasts.ts";
// Imported here, since pages that load later do not bring their styles.
import "uplot/dist/uPlot.min.css";
import "./styles/base.css";
import "./styles/frame.css";
import "./styles/parts.css";
import "./styles/tables.css";

const element = document.getElementById("console");
if (element === null) throw new Error("the document has no place for the console");
followLinks();
render(<App />, element);
findSession().then((isByCode) => {
  if (isByCode) go("/welcome");
}, showError);
