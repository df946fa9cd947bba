const reference = document.getElementById("reference");
const darkScheme = matchMedia("(prefers-color-scheme: dark)");

/** The styles of Swagger UI know the dark scheme by a class alone. */
function applyScheme() {
  document.documentElement.classList.toggle("dark-mode", darkScheme.matches);
}

/** More operations than these stay folded in their chapters: each one takes time to draw. */
const unfoldedMax = 40;

/**
 * Search over chapters, summaries and paths: each word must be in one of them. A search with few results unfolds their
 * chapters.
 */
function searchPlugin(system) {
  const { React } = system;
  let found = 0;
  const text = () => {
    const filter = system.layoutSelectors.currentFilter();
    return typeof filter === "string" ? filter.trim() : "";
  };
  return {
    fn: {
      opsFilter(chapters, phrase) {
        const words = phrase.toLowerCase().split(/\s+/).filter(Boolean);
        const fits = (operation, chapter) => {
          const { summary, operationId } = operation.get("operation").toObject();
          const all =
            `${chapter} ${operation.get("method")} ${operation.get("path")} ${summary} ${operationId}`.toLowerCase();
          return words.every((word) => all.includes(word));
        };
        const fitting = chapters
          .map((chapter, name) =>
            chapter.update("operations", (list) => list.filter((operation) => fits(operation, name))),
          )
          .filter((chapter) => chapter.get("operations").size > 0);
        found = fitting.reduce((sum, chapter) => sum + chapter.get("operations").size, 0);
        return fitting;
      },
    },
    statePlugins: {
      layout: {
        wrapSelectors: {
          isShown: (isShown) => (_state, thing, isShownByDefault) => {
            const isUnfolded = thing[0] === "operations-tag" && text() !== "" && found <= unfoldedMax;
            return isShown(thing, isUnfolded || isShownByDefault);
          },
        },
      },
    },
    wrapComponents: {
      operations: (Operations) => (properties) => {
        const isWithout = text() !== "" && properties.specSelectors.taggedOperations().size === 0;
        if (!isWithout) return React.createElement(Operations, properties);
        return React.createElement("p", { className: "wrapper without-result" }, `No operation has “${text()}”.`);
      },
      FilterContainer:
        () =>
        ({ layoutActions }) =>
          React.createElement(
            "div",
            { className: "wrapper operation-filter" },
            React.createElement("input", {
              type: "search",
              className: "operation-filter-input",
              placeholder: "Search chapters, summaries and paths",
              "aria-label": "Search chapters, summaries and paths",
              defaultValue: text(),
              onChange: ({ target }) => layoutActions.updateFilter(target.value),
            }),
          ),
    },
  };
}

/** The document as this page shows it: with the one way to authorise that people have. */
function withOneWay({ components, paths, ...rest }) {
  const { privateToken } = components.securitySchemes;
  for (const item of Object.values(paths)) {
    for (const operation of Object.values(item)) {
      operation.security = operation.security.filter(
        (way) => Object.keys(way).length === 0 || way.privateToken !== undefined,
      );
    }
  }
  return { ...rest, paths, components: { ...components, securitySchemes: { privateToken } } };
}

/** Hands the document over as it is: Swagger UI reads JSON with its reader of YAML, which takes longer than all the rest. */
function documentPlugin(shown) {
  return {
    statePlugins: {
      spec: {
        wrapActions: {
          parseToJson:
            (_parse, { specActions }) =>
            () =>
              specActions.updateJsonSpec(shown),
        },
      },
    },
  };
}

/** Swagger UI encodes a typed `%2F` once more. This takes it back. */
function encodedOnce(request) {
  const [path, ...query] = request.url.split("?");
  return Object.assign(request, { url: [path.replaceAll(/%252F/gi, "%2F"), ...query].join("?") });
}

async function show() {
  const answer = await fetch(reference.dataset.document);
  if (!answer.ok) throw new Error(`${reference.dataset.document} answered ${answer.status}`);
  const shown = withOneWay(await answer.json());
  const page = SwaggerUIBundle({
    plugins: [searchPlugin, () => documentPlugin(shown)],
    domNode: null,
    validatorUrl: null,
    deepLinking: true,
    persistAuthorization: true,
    filter: true,
    docExpansion: "none",
    tryItOutEnabled: true,
    displayRequestDuration: true,
    requestInterceptor: encodedOnce,
    defaultModelsExpandDepth: -1,
    defaultModelRendering: "model",
  });
  page.specActions.updateLoadingStatus("success");
  page.specActions.updateSpec(reference.dataset.document);
  page.render(reference, "App");
}

applyScheme();
darkScheme.addEventListener("change", applyScheme);
show().catch((error) => {
  reference.textContent = `The API reference cannot be shown: ${error.message}`;
});
