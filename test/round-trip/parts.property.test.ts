// Random documents of footnotes, admonitions, tasks, figures, formulas, tabs and code, each in the
// markup of one of several generators. All come back with the structure that they mean.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderHtml } from "../golden/case.ts";
import { renderMarkdown, readStructure } from "./render.ts";

const page = { why: "", url: "https://example.org/page" };

/** Markup of a generator, and the plain HTML that it means. */
type Part = { readonly html: string; readonly means: string };

const WORDS = "harbour tide 日本 boat größe мост anchor 3 lines café ship's well-known port".split(" "); // prettier-ignore
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((chosen) => `The ${chosen.join(" ")} end`);
const same = (html: string): Part => ({ html, means: html });
const paragraph = words.map((text) => same(`<p>${text}.</p>`));

const kind = fc.constantFrom("note", "tip", "warning", "caution", "important", "danger", "info");
const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);
const admonition = fc.tuple(kind, words, fc.nat(5)).map(([name, text, style]): Part => {
  const title = upper(name);
  const body = `<p>${text}.</p>`;
  const html = [
    `<div class="theme-admonition theme-admonition-${name} alert alert--info"><div class="admonitionHeading_x"><span><svg></svg></span>${title}</div><div class="admonitionContent_x">${body}</div></div>`,
    `<div class="admonition ${name}"><p class="admonition-title">${title}</p>${body}</div>`,
    `<div class="markdown-alert markdown-alert-${name}"><p class="markdown-alert-title"><svg></svg>${title}</p>${body}</div>`,
    `<div class="${name} custom-block"><p class="custom-block-title">${title}</p>${body}</div>`,
    `<aside aria-label="${title}" class="starlight-aside starlight-aside--${name}"><p class="starlight-aside__title"><svg></svg>${title}</p><div class="starlight-aside__content">${body}</div></aside>`,
    `<div class="admonitionblock ${name}"><table><tr><td class="icon"><i class="fa icon-${name}" title="${title}"></i></td><td class="content"><div class="paragraph">${body}</div></td></tr></table></div>`,
  ];
  return {
    html: html[style]!,
    means: `<blockquote><p><b>${title}</b></p>${body}</blockquote>`,
  };
});

const task = fc.record({ text: words, isDone: fc.boolean() });
const tasks = fc
  .tuple(fc.array(task, { minLength: 1, maxLength: 4 }), fc.nat(2))
  .map(([items, style]): Part => {
    const list = (name: string, write: (text: string, checked: string) => string): string =>
      `<ul class="${name}">${items.map(({ text, isDone }) => write(text, isDone ? " checked" : "")).join("")}</ul>`;
    const html = [
      list("contains-task-list", (text, checked) => `<li class="task-list-item"><input type="checkbox" disabled${checked}> ${text}</li>`), // prettier-ignore
      list("task-list", (text, checked) => `<li class="task-list-item"><label class="task-list-control"><input type="checkbox" disabled${checked}><span class="task-list-indicator"></span></label> ${text}</li>`), // prettier-ignore
      list("", (text, checked) => `<li><label><input type="checkbox" disabled${checked}> ${text}</label></li>`), // prettier-ignore
    ];
    return {
      html: html[style]!,
      means: `<ul>${items.map(({ text, isDone }) => `<li><input type="checkbox"${isDone ? ' checked=""' : ""}> ${text}</li>`).join("")}</ul>`,
    };
  });

const figure = fc
  .tuple(words, words, fc.nat(2), fc.uuid())
  .map(([alt, caption, style, id]): Part => {
    // A second copy of one picture is dropped.
    const address = `https://example.org/${id}.png`;
    const image = `<img src="${address}" alt="${alt}">`;
    const html = [
      `<figure>${image}<figcaption>${caption}</figcaption></figure>`,
      `<figure class="wp-block-image size-large"><picture><source srcset="/${id}.webp 800w">${image}</picture><figcaption class="wp-element-caption">${caption}</figcaption></figure>`,
      `<div class="figure"><figure><a href="${address}">${image}</a><figcaption><p>${caption}</p></figcaption></figure></div>`,
    ];
    return { html: html[style]!, means: `<p>${image}</p><p>${caption}</p>` };
  });

const tex = fc.constantFrom(
  "a_1 + b^2",
  String.raw`\frac{a}{b}`,
  "E=mc^{2}",
  String.raw`\sum_i x_i`,
);
const math = fc.tuple(words, tex, fc.nat(4)).map(([text, formula, style]): Part => {
  const written = [
    `<math><semantics><mi>x</mi><annotation encoding="application/x-tex">${formula}</annotation></semantics></math>`,
    `<span class="katex"><span class="katex-mathml"><math><semantics><mi>a</mi><annotation encoding="application/x-tex">${formula}</annotation></semantics></math></span><span class="katex-html" aria-hidden="true"><span>x</span></span></span>`,
    `<span class="math notranslate">\\(${formula}\\)</span>`,
    `<span class="math-container">$${formula}$</span>`,
    `<math alttext="${formula}" display="inline"><mi>O</mi></math>`,
  ];
  return {
    html: `<p>${text} ${written[style]!} end.</p>`,
    means: `<p>${text} <tex>${formula}</tex> end.</p>`,
  };
});

const language = fc.constantFrom("go", "python", "rust", "css", "sh", "json", "typescript");
const source = fc
  .array(fc.constantFrom("x = 1", "  y(2)", "end", "a*b_c", "# not a heading", "- no item"), {
    minLength: 1,
    maxLength: 4,
  })
  .map((lines) => `start\n${lines.join("\n")}`);
const code = fc.tuple(language, source, fc.nat(5)).map(([name, text, style]): Part => {
  const rows = text.split("\n");
  const html = [
    `<pre><code class="language-${name}">${text}\n</code></pre>`,
    `<pre class="lang-${name}"><code>${text}</code></pre>`,
    `<div class="highlight-${name} notranslate"><div class="highlight"><pre><span></span>${text}\n</pre></div></div>`,
    `<div class="highlight"><pre class="chroma"><code data-lang="${name}">${text}</code></pre></div>`,
    `<pre><code class="hljs ${name}">${text}</code></pre>`,
    `<figure class="frame"><pre data-language="${name}"><code>${rows.map((row) => `<div class="ec-line"><div class="code"><span>${row}</span></div></div>`).join("")}</code></pre></figure>`,
  ];
  return { html: html[style]!, means: `<pre><code class="language-${name}">${text}</code></pre>` };
});

const tabs = fc.tuple(words, words, fc.nat(1)).map(([one, two, style]): Part => {
  const names = ["npm", "Yarn"];
  const bodies = [`<p>${one}.</p>`, `<p>${two}.</p>`];
  const html = [
    `<div class="tabs-container"><ul role="tablist" class="tabs">${names.map((name) => `<li role="tab" class="tabs__item">${name}</li>`).join("")}</ul><div>${bodies.map((body, at) => `<div role="tabpanel"${at > 0 ? " hidden" : ""}>${body}</div>`).join("")}</div></div>`,
    `<div><div role="tablist">${names.map((name, at) => `<button role="tab" id="t${at}" aria-controls="p${at}">${name}</button>`).join("")}</div>${bodies.map((body, at) => `<div role="tabpanel" id="p${at}" aria-labelledby="t${at}">${body}</div>`).join("")}</div>`,
  ];
  const means = bodies.map((body, at) => `<p><b>${names[at]}</b></p>${body}`).join("");
  return { html: html[style]!, means };
});

const footnote = fc.tuple(words, words, fc.nat(4)).map(([text, note, style]): Part => {
  const html = [
    `<p>${text}<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a></p><section class="footnotes" role="doc-endnotes"><ol><li id="fn1"><p>${note}.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>`,
    `<p>${text}<sup id="fnref:1"><a href="#fn:1" class="footnote-ref" role="doc-noteref">1</a></sup></p><div class="footnotes"><ol><li id="fn:1"><p>${note}. <a href="#fnref:1" class="footnote-backref">↩</a></p></li></ol></div>`,
    `<p>${text}<sup><a href="#user-content-fn-1-abc" id="user-content-fnref-1-abc" data-footnote-ref="">1</a></sup></p><section data-footnotes="" class="footnotes"><ol><li id="user-content-fn-1-abc"><p>${note}. <a href="#user-content-fnref-1-abc" class="data-footnote-backref" aria-label="Back to reference 1">↩</a></p></li></ol></section>`,
    `<p>${text}<sup data-fn="abc-123" class="fn"><a href="#abc-123" id="abc-123-link">1</a></sup></p><ol class="wp-block-footnotes"><li id="abc-123">${note}. <a href="#abc-123-link" aria-label="Jump to footnote reference 1">↩︎</a></li></ol>`,
    `<p>${text}<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a></p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>${note}.</p></aside></aside>`,
  ];
  return {
    html: html[style]!,
    means: `<p>${text}<fn>1</fn></p><note><p>${note}.</p></note>`,
  };
});

const PARTS = { admonition, tasks, figure, math, code, tabs, footnote };
const RUNS_PER_PART = 130;

describe("structure of parts", () => {
  it.each(Object.entries(PARTS))("comes back from Markdown between paragraphs: %s", (_, part) => {
    const others = fc.oneof(admonition, figure, code, paragraph);
    fc.assert(
      fc.property(paragraph, others, part, (first, before, own) => {
        const document = [first, before, first, own];
        const html = document.map((each) => each.html).join("\n");
        const means = document.map((each) => each.means).join("\n");
        const markdown = renderHtml(html, page);
        const rendered = renderMarkdown(markdown, html.includes("math"));
        expect(readStructure(rendered), markdown).toBe(readStructure(means));
      }),
      { numRuns: RUNS_PER_PART },
    );
  });
});
