// Work in the live page of a scrape: a prompt, or code with a Playwright page.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatDuration } from "../../data/format.ts";
import { hasScope } from "../../data/session.ts";
import { button, linkButton } from "../../ui/button.ts";
import { CodeEditor } from "../../ui/code-editor.ts";
import { codeView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, errorBox } from "../../ui/feedback.ts";
import { segments } from "../../ui/fields.ts";
import { statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";

type Execution = {
  readonly success: boolean;
  readonly sessionId?: string;
  readonly output?: string;
  readonly result?: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly error?: string;
  readonly code?: string;
};

type Run = {
  readonly kind: "prompt" | "code";
  readonly text: string;
  readonly ms: number;
  readonly execution: Execution;
};

const SAMPLES = {
  prompt: "Open the first product and tell me its price",
  code: "await page.getByRole('link').first().click();\nreturn await page.title();",
} as const;

const PARTS: readonly (readonly [name: keyof Execution, label: string])[] = [
  ["output", "Answer"],
  ["result", "Result"],
  ["stdout", "Output"],
  ["stderr", "Errors"],
  ["error", "Error"],
  ["code", "The steps as code that replays without a model"],
];

/** Everything in it comes from the page or the model, so it is shown as text. */
function runView({ kind, text, ms, execution }: Run, key: number): VNode {
  return dom.li(
    { key, class: "panel panel-body stack" },
    dom.div(
      { class: "row wrap" },
      statusBadge(execution.success ? "completed" : "failed"),
      dom.span({ class: "badge" }, kind),
      dom.span({ class: "num small soft" }, formatDuration(ms)),
      dom.span({ class: "small truncate grow", dir: "auto", title: text }, text),
    ),
    ...PARTS.flatMap(([name, label]) => {
      const value = execution[name];
      if (typeof value !== "string" || value === "") return [];
      return [
        dom.div(
          { key: name, class: "stack tight" },
          dom.div(
            { class: "row spread" },
            dom.span({ class: "tiny faint" }, label),
            copyButton(value, `Copy: ${label}`),
          ),
          codeView(value, { wrap: true, label }),
        ),
      ];
    }),
  );
}

export function Interact({ scrapeId }: { readonly scrapeId: string }): VNode {
  const [kind, setKind] = useState<Run["kind"]>("prompt");
  const [texts, setTexts] = useState<Readonly<Record<Run["kind"], string>>>({
    prompt: "",
    code: "",
  });
  const [runs, setRuns] = useState<readonly Run[]>([]);
  const [fault, setFault] = useState<Error>();
  const running = useRef<AbortController>(undefined);
  const [isRunning, setRunning] = useState(false);
  useEffect(() => () => running.current?.abort(), []);
  if (!hasScope("jobs"))
    return empty({
      icon: "live",
      title: "Not with this key",
      text: "Working in a live page needs a key with the scope jobs.",
    });
  const path = `/v2/scrape/${encodeURIComponent(scrapeId)}/interact`;
  const text = texts[kind];
  const sessionId = runs.find(({ execution }) => execution.sessionId !== undefined)?.execution
    .sessionId;
  const run = async (): Promise<void> => {
    const controller = new AbortController();
    running.current = controller;
    setRunning(true);
    setFault(undefined);
    const started = performance.now();
    try {
      const execution = await call<Execution>("POST", path, {
        body: { [kind]: text },
        signal: controller.signal,
      });
      setRuns((before) => [{ kind, text, ms: performance.now() - started, execution }, ...before]);
    } catch (error) {
      if (!controller.signal.aborted)
        setFault(error instanceof Error ? error : new Error(String(error)));
    }
    if (!controller.signal.aborted) setRunning(false);
  };
  const end = (): void => {
    call("DELETE", path).then(() => {
      setRuns([]);
      toast("The live page is closed.");
    }, reportError);
  };
  return dom.div(
    { class: "stack" },
    dom.form(
      {
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          void run();
        },
      },
      dom.div(
        { class: "row wrap spread" },
        segments({
          label: "How",
          value: kind,
          options: [
            { value: "prompt", label: "Prompt" },
            { value: "code", label: "Code" },
          ],
          onChange: (next) => setKind(next as Run["kind"]),
        }),
        dom.span(
          { class: "tiny faint" },
          kind === "prompt"
            ? "Needs a language model on the server."
            : "JavaScript with page, a live Playwright page.",
        ),
      ),
      kind === "code"
        ? create(CodeEditor, {
            label: "Code to run on the page",
            language: "javascript",
            placeholder: SAMPLES.code,
            value: text,
            onInput: (code) => setTexts({ ...texts, code }),
          })
        : dom.textarea({
            class: "input textarea",
            rows: 3,
            "aria-label": "What to do on the page",
            placeholder: SAMPLES.prompt,
            value: text,
            dir: "auto",
            onInput: (event) => setTexts({ ...texts, prompt: event.currentTarget.value }),
          }),
      dom.div(
        { class: "row wrap" },
        button({
          label: isRunning ? "Running …" : "Run on the page",
          kind: "primary",
          icon: "play",
          type: "submit",
          disabled: isRunning || text.trim() === "",
        }),
        text === "" &&
          button({
            label: "Use the example",
            kind: "quiet",
            onClick: () => setTexts({ ...texts, [kind]: SAMPLES[kind] }),
          }),
        sessionId !== undefined && [
          linkButton(`/console/live/${encodeURIComponent(sessionId)}`, "Watch it live", {
            icon: "live",
          }),
          button({ label: "Close the page", icon: "stop", disabled: isRunning, onClick: end }),
        ],
      ),
    ),
    fault !== undefined && errorBox(fault),
    runs.length === 0 && fault === undefined
      ? dom.p(
          { class: "small soft" },
          "The page is opened in a browser and stays open between your steps. It closes after five minutes without use.",
        )
      : dom.ol({ class: "stack", "aria-label": "Steps so far" }, ...runs.map(runView)),
  );
}
