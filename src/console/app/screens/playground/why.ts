// Kept and dropped text of a page, with reasons, in colors. Replays other settings on the stored
// capture, without a fetch.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { formatDuration, formatNumber, formatShare } from "../../data/format.ts";
import { call } from "../../data/api.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty } from "../../ui/feedback.ts";
import { Field, segments, textInput, Toggle } from "../../ui/fields.ts";
import { pageFrame } from "../../ui/page-frame.ts";
import { reportError } from "../../ui/toast.ts";
import {
  MIN_KIND_PROBABILITY,
  type Explanation,
  type KindGuess,
  type MainContent,
  type Removal,
  type ScrapeAnswer,
} from "./scrape-answer.ts";

const MAX_AGE_MS = 30 * 86_400_000;
const MAX_SHOWN = 200;

export type WhyProps = {
  readonly answer: ScrapeAnswer;
  /** The original request; undefined where nothing is stored to replay. */
  readonly request: Readonly<Record<string, unknown>> | undefined;
};

function sentence(found: MainContent | undefined): string {
  if (found === undefined) return "The whole page was kept.";
  if (found.level === "generator" && "generator" in found)
    return `The content is where ${found.generator} puts it.`;
  if (!("cut" in found)) return "";
  const { kind, cut, keptWords, words, confidence } = found;
  return `${describeKind(kind)} ${formatNumber(keptWords)} of ${formatNumber(words)} words kept: score ${cut.toFixed(2)} or more. Expected F1 ${confidence.toFixed(2)}.`;
}

/** Names a kind of page only if the rules of that kind were applied. */
function describeKind({ kind, probability }: KindGuess): string {
  if (probability < MIN_KIND_PROBABILITY)
    return "The kind of page is not certain, so no rules of one kind apply.";
  const share = formatShare(Math.round(probability * 100), 100);
  return `Looks like ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} page (${share}).`;
}

function removalRow({ words, step, rule, path, sample, score }: Removal, index: number): VNode {
  return dom.tr(
    { key: index },
    dom.td({ class: "num end" }, formatNumber(words)),
    dom.td(null, step),
    dom.td(
      null,
      rule,
      score !== undefined && dom.span({ class: "faint num" }, ` ${score.toFixed(2)}`),
    ),
    dom.td(
      null,
      dom.span({ class: "url", title: path }, path.length > 40 ? `…${path.slice(-39)}` : path),
    ),
    dom.td({ class: "soft", dir: "auto" }, dom.span({ class: "clip" }, sample)),
  );
}

function removalTable(removals: readonly Removal[]): VNode {
  const sorted = removals.toSorted((one, other) => other.words - one.words);
  return dom.div(
    { class: "table-wrap" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Removed parts"),
      dom.thead(
        null,
        dom.tr(
          null,
          ...["Words", "Step", "Rule and score", "Place", "Text"].map((name) =>
            dom.th({ key: name, scope: "col", class: name === "Words" ? "end" : "" }, name),
          ),
        ),
      ),
      dom.tbody(null, ...sorted.slice(0, MAX_SHOWN).map(removalRow)),
    ),
    sorted.length > MAX_SHOWN &&
      dom.p({ class: "tiny faint" }, `And ${formatNumber(sorted.length - MAX_SHOWN)} more.`),
  );
}

const LEGEND: readonly (readonly [color: string, text: string])[] = [
  ["fill-green", "kept"],
  ["fill-red", "removed"],
  ["fill-violet", "concealed from readers"],
  ["fill-gray", "tidied up"],
];

export function Why({ answer, request }: WhyProps): VNode {
  const [replayed, setReplayed] = useState<ScrapeAnswer>();
  const [took, setTook] = useState<number>();
  const [isBusy, setBusy] = useState(false);
  const [view, setView] = useState("page");
  const [isMain, setMain] = useState((request?.["onlyMainContent"] ?? true) === true);
  const [include, setInclude] = useState("");
  const [exclude, setExclude] = useState("");
  const explanation: Explanation | undefined = (replayed ?? answer).explanation;
  const removals = explanation?.removals ?? [];
  if (explanation === undefined)
    return empty({
      icon: "help",
      title: "No explanation",
      text: "The response has no explanation.",
    });

  const replay = async (): Promise<void> => {
    setBusy(true);
    const selectors = (text: string): string[] =>
      text
        .split(",")
        .map((one) => one.trim())
        .filter((one) => one !== "");
    const started = performance.now();
    try {
      const body = {
        ...request,
        formats: ["markdown"],
        onlyMainContent: isMain,
        maxAge: MAX_AGE_MS,
        lockdown: true,
        includeTags: selectors(include),
        excludeTags: selectors(exclude),
      };
      setReplayed(
        await call<ScrapeAnswer>("POST", "/v2/scrape", {
          body,
          headers: { "x-quarry-explain": "overlay" },
        }),
      );
      setTook(performance.now() - started);
    } catch (error) {
      reportError(error);
    }
    setBusy(false);
  };

  return dom.div(
    { class: "stack" },
    dom.p({ class: "small" }, sentence(explanation.mainContent)),
    dom.div(
      { class: "row wrap spread" },
      dom.div(
        { class: "row wrap tiny soft" },
        ...LEGEND.map(([color, text]) =>
          dom.span({ key: text, class: "row" }, dom.span({ class: `dot ${color}` }), text),
        ),
      ),
      segments({
        label: "View",
        value: view,
        options: [
          { value: "page", label: "On the page" },
          { value: "list", label: `Removed (${removals.length})` },
        ],
        onChange: setView,
      }),
    ),
    view === "list"
      ? removals.length === 0
        ? empty({
            icon: "check",
            title: "Nothing was removed",
            text: "All text of the page is in the result.",
          })
        : removalTable(removals)
      : explanation.overlay !== undefined &&
          pageFrame({
            title: "The page with what was kept and removed",
            html: explanation.overlay,
            kind: "why",
          }),
    request !== undefined &&
      dom.details(
        { class: "fold framed" },
        dom.summary(
          null,
          "Replay with other settings",
          dom.span({ class: "tiny faint" }, "on the stored capture, nothing is fetched"),
        ),
        dom.div(
          { class: "stack fold-body" },
          create(Toggle, { label: "Only main content", checked: isMain, onChange: setMain }),
          create(Field, {
            label: "Keep only",
            help: "CSS selectors, separated by commas",
            control: (ties) =>
              textInput({
                ...ties,
                value: include,
                onInput: setInclude,
                mono: true,
                placeholder: "article, .product",
              }),
          }),
          create(Field, {
            label: "Remove",
            help: "CSS selectors, separated by commas",
            control: (ties) =>
              textInput({
                ...ties,
                value: exclude,
                onInput: setExclude,
                mono: true,
                placeholder: "aside, .ad",
              }),
          }),
          dom.div(
            { class: "row" },
            button({
              label: isBusy ? "Replaying …" : "Replay",
              icon: "again",
              disabled: isBusy,
              onClick: () => void replay(),
            }),
            replayed !== undefined &&
              button({
                label: "Back to the first",
                kind: "quiet",
                onClick: () => setReplayed(undefined),
              }),
            replayed !== undefined &&
              took !== undefined &&
              dom.span(
                { class: "small soft num" },
                `Replayed in ${formatDuration(took)}, nothing was fetched.`,
              ),
          ),
        ),
      ),
  );
}
