import { apiTitle, apiVersion } from "../../domain/release.ts";

/** The texts of the OpenAPI document that the page shows. */
export interface PageTexts {
  /** Markdown. */
  readonly introduction: string;
  readonly licenseName: string;
  readonly chapters: readonly { readonly name: string; readonly description: string }[];
}

/** A placeholder for an icon. */
const icon = '<svg width="20" height="20"></svg>';

/**
 * Returns the contents of the page until Swagger UI has rendered it, which takes a second: the same texts at the same
 * positions. It also opens a chapter whose link the user followed meanwhile.
 */
export function firstContents({ introduction, licenseName, chapters }: PageTexts): string {
  return `
<div class="swagger-ui">
  <div class="information-container wrapper"><section class="block col-12"><div class="info">
    <hgroup class="main"><h1 class="title">${apiTitle}<span><small><pre class="version"> ${apiVersion} </pre></small></span></h1></hgroup>
    <div class="description"><div class="renderedMarkdown">${Bun.markdown.html(introduction)}</div></div>
    <div class="info__license"><span>${licenseName}</span></div>
  </div></section></div>
  <div class="scheme-container"><section class="schemes wrapper block col-12">
    <div class="auth-wrapper"><button class="btn authorize unlocked" disabled><span>Authorize</span>${icon}</button></div>
  </section></div>
  <div class="wrapper operation-filter">
    <input type="search" class="operation-filter-input" placeholder="Search chapters, summaries and paths" disabled>
  </div>
  <div class="wrapper"><section class="block col-12">${chapters.map(chapterOf).join("")}</section></div>
</div>`;
}

function chapterOf({ name, description }: PageTexts["chapters"][number]): string {
  const link = `<a class="nostyle" href="#/${encodeURIComponent(name)}"><span>${Bun.escapeHTML(name)}</span></a>`;
  const text = `<small><div class="renderedMarkdown">${Bun.markdown.html(description)}</div></small>`;
  const arrow = `<span class="expand-operation">${icon}</span>`;
  return `<div class="opblock-tag-section"><h3 class="opblock-tag">${link}${text}${arrow}</h3></div>`;
}
