// The playground: type an address, press Enter, see the result and its explanation.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../data/api.ts";
import { useKeys } from "../../data/keys.ts";
import { rememberRequest } from "../../data/recent.ts";
import { hasScope } from "../../data/session.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { copyButton } from "../../ui/copy.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { icon } from "../../ui/icons.ts";
import { later } from "../../ui/later.ts";
import { toast } from "../../ui/toast.ts";
import { listOmitted } from "../jobs/omitted-secrets.ts";
import { loadStoredJob, splitSubject } from "../jobs/stored-job.ts";
import { FilePicker } from "./file-picker.ts";
import { listResult } from "./list-result.ts";
import {
  buildBody,
  findMode,
  isComplete,
  MODES,
  nameRequest,
  type Mode,
  type Options,
} from "./modes.ts";
import { OptionsForm } from "./options.ts";
import { presetMenu } from "./presets.ts";
import {
  buildRequestPath,
  describeRequest,
  identifyRequest,
  readOptions,
} from "./request-address.ts";
import { jobNotice, type JobSource } from "./job-notice.ts";
import { runRequest, type Outcome } from "./run.ts";
import type { ScrapeAnswer } from "./scrape-answer.ts";
import { startPanel } from "./start-panel.ts";
import { loadStoredScrape } from "./stored-scrape.ts";

type State =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly since: number }
  | { readonly state: "done"; readonly outcome: Exclude<Outcome, { kind: "job" }> }
  | { readonly state: "failed"; readonly error: Error };

const CopyAs = later(async () => (await import("./copy-as.ts")).CopyAs);
const Result = later(async () => (await import("./result.ts")).Result);

function modeBar(current: Mode, onChange: (mode: Mode) => void): VNode {
  return dom.div(
    { class: "mode-bar", role: "group", "aria-label": "What to do" },
    ...MODES.map((mode) =>
      dom.button(
        {
          key: mode.id,
          type: "button",
          "aria-pressed": mode === current,
          disabled: !hasScope(mode.scope),
          title: hasScope(mode.scope) ? mode.help : `Your key lacks the scope ${mode.scope}.`,
          onClick: () => onChange(mode),
        },
        icon(mode.icon, { size: 14 }),
        mode.label,
      ),
    ),
  );
}

export function Playground(): VNode {
  const { query } = place.value;
  const mode = findMode(query.get("mode"));
  const [subject, setSubject] = useState(query.get("url") ?? "");
  const [options, setOptions] = useState<Options>(readOptions(query.get("options")));
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<State>({ state: "idle" });
  const [formTurn, setFormTurn] = useState(0);
  const [showsOptions, setShowsOptions] = useState(false);
  const [source, setSource] = useState<JobSource>();
  const running = useRef<AbortController>(undefined);
  const isEmpty = !isComplete(mode, { subject, options, file });
  const jobId = query.get("job");
  // Also before the first effect.
  const isLoading = jobId !== null && (source?.id !== jobId || source.state === "loading");

  // Another link to this screen, such as one of the recent requests.
  const address = identifyRequest(query);
  const shown = useRef(address);
  useEffect(() => {
    if (shown.current === address) return;
    shown.current = address;
    running.current?.abort();
    setSubject(query.get("url") ?? "");
    setOptions(readOptions(query.get("options")));
    setFormTurn((turn) => turn + 1);
    setState({ state: "idle" });
    setSource(undefined);
  }, [address]);

  const write = (next: { mode?: Mode; subject?: string; options?: Options }): void => {
    setQuery(describeRequest(next.mode ?? mode, next.subject ?? subject, next.options ?? options));
    shown.current = identifyRequest(place.value.query);
  };

  const run = (given = subject): void => {
    // The settings of the earlier job would be missing.
    if (isLoading || !isComplete(mode, { subject: given, options, file })) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ state: "running", since: performance.now() });
    write({ subject: given });
    const path = buildRequestPath(mode, given, options);
    const name = nameRequest(mode, given, options);
    if (mode.field !== "file" && path !== undefined)
      rememberRequest({ mode: mode.id, url: name, path, at: Date.now() });
    runRequest({ mode, subject: given, options, file }, controller.signal).then(
      (outcome) => {
        if (controller.signal.aborted) return;
        if (outcome.kind === "job") navigate(outcome.path);
        else setState({ state: "done", outcome });
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setState({
            state: "failed",
            error: error instanceof Error ? error : new Error(String(error)),
          });
      },
    );
  };
  useEffect(() => {
    if (query.get("run") === "1") run(query.get("url") ?? "");
  }, [query.get("run")]);
  // An earlier scrape of the account, such as one that somebody shared.
  const stored = query.get("scrape");
  useEffect(() => {
    if (stored === null) return;
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setState({ state: "running", since: performance.now() });
    loadStoredScrape(stored, controller.signal).then(
      ({ url: given, options: chosen, omitted, answer }) => {
        if (controller.signal.aborted) return;
        setSubject(given);
        setOptions(chosen);
        setFormTurn((turn) => turn + 1);
        setState({
          state: "done",
          outcome: { kind: "page", answer, ms: undefined, request: { url: given, ...chosen } },
        });
        if (omitted.length > 0) toast(`Secrets are not shown: ${listOmitted(omitted)}.`);
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setState({
            state: "failed",
            error: error instanceof Error ? error : new Error(String(error)),
          });
      },
    );
  }, [stored]);
  // A job that is to run again.
  useEffect(() => {
    if (jobId === null) return undefined;
    const controller = new AbortController();
    const job = { kind: mode.id, id: jobId };
    setSource({ ...job, state: "loading" });
    loadStoredJob(mode.id, jobId, controller.signal).then(
      ({ given, omitted }) => {
        if (controller.signal.aborted) return;
        const filled = splitSubject(mode, given);
        setSubject(filled.subject);
        setOptions(filled.options);
        setFormTurn((turn) => turn + 1);
        setSource({ ...job, state: "filled", omitted });
      },
      (error: unknown) => {
        if (!controller.signal.aborted)
          setSource({
            ...job,
            state: "failed",
            error: error instanceof Error ? error : new Error(String(error)),
          });
      },
    );
    return () => {
      controller.abort();
      setSource((before) => (before?.state === "loading" ? undefined : before));
    };
  }, [jobId === null ? null : address]);
  useEffect(() => () => running.current?.abort(), []);
  useKeys([{ keys: "⌘Enter", text: mode.verb, run: () => run() }]);

  const changeMode = (next: Mode): void => {
    running.current?.abort();
    setState({ state: "idle" });
    setSource(undefined);
    setOptions({});
    setFormTurn((turn) => turn + 1);
    write({ mode: next, options: {} });
  };
  const changeOptions = (next: Options): void => {
    if (Object.keys(next).length === 0) setFormTurn((turn) => turn + 1);
    setOptions(next);
    write({ options: next });
  };
  const tab = query.get("tab") ?? (mode.id === "interact" ? "interact" : undefined);
  const onTab = (id: string): void => setQuery({ tab: id });
  const isRunning = state.state === "running";
  const path = buildRequestPath(mode, subject, options);
  const sharedId =
    state.state === "done" && state.outcome.kind === "page"
      ? state.outcome.answer.data?.metadata.scrapeId
      : undefined;

  return dom.div(
    { class: "playground" },
    dom.h1({ class: "visually-hidden" }, "Playground"),
    modeBar(mode, changeMode),
    dom.form(
      {
        class: "run-bar",
        onSubmit: (event) => {
          event.preventDefault();
          run();
        },
      },
      mode.field === "file"
        ? create(FilePicker, { file, onChange: setFile })
        : mode.field === "urls" || mode.field === "prompt"
          ? dom.textarea({
              class: "input big textarea",
              rows: 3,
              "aria-label": mode.placeholder,
              placeholder: mode.placeholder,
              value: subject,
              spellcheck: false,
              onInput: (event) => setSubject(event.currentTarget.value),
            })
          : dom.input({
              class: "input big",
              type: "text",
              inputMode: mode.field === "url" ? "url" : "text",
              "aria-label": mode.field === "url" ? "URL" : "Words",
              placeholder: mode.placeholder,
              value: subject,
              autofocus: true,
              spellcheck: false,
              autocomplete: "off",
              dir: "ltr",
              onInput: (event) => setSubject(event.currentTarget.value),
            }),
      isRunning
        ? button({
            label: "Stop",
            icon: "stop",
            onClick: () => {
              running.current?.abort();
              setState({ state: "idle" });
            },
          })
        : button({
            label: mode.verb,
            kind: "primary",
            type: "submit",
            disabled: isEmpty || isLoading,
          }),
    ),
    source !== undefined && jobNotice(source),
    dom.div(
      { class: "workbench" },
      dom.aside(
        {
          class: classes("panel workbench-options", showsOptions && "open"),
          "aria-label": "Options",
        },
        create(OptionsForm, {
          key: `${mode.id} ${formTurn}`,
          mode,
          options,
          onChange: changeOptions,
          tools: [
            presetMenu(mode, (next) => {
              setFormTurn((turn) => turn + 1);
              changeOptions(next);
            }),
            // Where options are above the result, they are folded.
            dom.button(
              {
                type: "button",
                class: "button small options-fold",
                "aria-expanded": showsOptions,
                onClick: () => setShowsOptions(!showsOptions),
              },
              showsOptions ? "Hide" : "Show",
            ),
          ],
        }),
      ),
      dom.div(
        { class: "stack workbench-result" },
        state.state === "idle" &&
          startPanel(mode, (sample) => {
            if (isLoading) return;
            setSubject(sample);
            run(sample);
          }),
        isRunning && dom.div({ class: "panel panel-body running" }, skeleton(10)),
        state.state === "failed" && failed(state.error, mode, () => run()),
        state.state === "done" &&
          (state.outcome.kind === "page"
            ? create(Result, {
                key: state.outcome.answer.data?.metadata.scrapeId ?? "result",
                answer: state.outcome.answer,
                ms: state.outcome.ms,
                request: state.outcome.request,
                tab,
                onTab,
              })
            : listResult({ answer: state.outcome.answer, ms: state.outcome.ms, tab, onTab })),
        !isEmpty &&
          dom.details(
            { class: "fold panel" },
            dom.summary(null, "Copy as curl, JavaScript, Python, CLI, MCP"),
            dom.div(
              { class: "fold-body" },
              create(CopyAs, { mode, body: buildBody(mode, subject, options) }),
            ),
          ),
        !isEmpty &&
          mode.field !== "file" &&
          dom.div(
            { class: "row wrap tiny faint" },
            path === undefined
              ? "This request is too long for a link."
              : dom.span(
                  { class: "row no-wrap" },
                  "Link to this request",
                  copyButton(location.origin + path, "Copy the link"),
                ),
            sharedId !== undefined &&
              dom.span(
                { class: "row no-wrap" },
                "Link to this result, for this account",
                copyButton(
                  () => `${location.origin}/?scrape=${encodeURIComponent(sharedId)}`,
                  "Copy the link to the result",
                ),
              ),
          ),
      ),
    ),
  );
}

/** A failed scrape may still have an explanation. */
function failed(error: Error, mode: Mode, onRetry: () => void): VNode {
  const body = error instanceof ApiError ? (error.body as ScrapeAnswer) : undefined;
  return dom.div(
    { class: "stack" },
    errorBox(error, onRetry),
    mode.outcome === "page" &&
      body?.explanation !== undefined &&
      create(Result, {
        answer: body,
        ms: undefined,
        request: undefined,
        tab: "waterfall",
        onTab: () => undefined,
      }),
  );
}
