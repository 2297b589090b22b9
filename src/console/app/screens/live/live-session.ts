// One browser session: its tabs, address bar, page, remaining time, and the recorded steps.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RecordedStep, ScreenReport } from "../../../../contract/session/screen.ts";
import { ApiError, call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { place, setQuery } from "../../router.ts";
import { button, iconButton, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { Field, textInput } from "../../ui/fields.ts";
import { icon } from "../../ui/icons.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import type { ScreenProps } from "../screen-view.ts";
import { RecordedSteps } from "./recorded-steps.ts";
import { remotePage } from "./remote-page.ts";
import { openScreen, type ScreenSocket } from "./screen-socket.ts";
import { formatClock, toAddress, type BrowserSession } from "./session-facts.ts";

type State = Extract<ScreenReport, { type: "state" }>;
type Steps = { readonly isRecording: boolean; readonly steps: readonly RecordedStep[] };

const LIST = "/console/live";
const RETRY_MS = 1_000;
/** Contents of all files of an upload; they are one message. */
const MAX_UPLOAD_BYTES = 5_000_000;

/** Counts down to the end of the session, or to its end without input if that is sooner. */
function TimeLeft({ expiresAt, idleAt }: Pick<State, "expiresAt" | "idleAt">): VNode {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const isIdle = idleAt < expiresAt;
  const left = Math.min(idleAt, expiresAt) - now;
  const text = `${formatClock(left)} left`;
  return dom.span(
    {
      title: isIdle
        ? `Ends in ${formatClock(left)} without input, in ${formatClock(expiresAt - now)} at the latest`
        : "Time until the session ends",
    },
    badge(isIdle ? `${text} without input` : text, left < 60_000 ? "amber" : "gray", "clock"),
  );
}

async function readFiles(list: readonly File[]) {
  return await Promise.all(
    list.map(async (file) => {
      const bytes = new Uint8Array(await file.arrayBuffer());
      let text = "";
      for (let at = 0; at < bytes.length; at += 0x8000)
        text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
      return { name: file.name, mimeType: file.type, base64: btoa(text) };
    }),
  );
}

function tabStrip(state: State, send: ScreenSocket["send"]): VNode {
  return dom.div(
    { class: "browser-tabs", role: "group", "aria-label": "Tabs of the session" },
    ...state.tabs.map(({ id, title, url }, index) =>
      dom.span(
        { key: id, class: classes("browser-tab", id === state.tab && "current") },
        dom.button(
          {
            type: "button",
            class: "browser-tab-name truncate",
            dir: "auto",
            "aria-pressed": id === state.tab,
            title: url,
            onClick: () => send({ type: "selectTab", tab: id }),
          },
          title === "" ? (url === "about:blank" ? "New tab" : url) : title,
        ),
        index > 0 &&
          iconButton({
            icon: "cross",
            label: `Close the tab ${title}`,
            small: true,
            onClick: () => send({ type: "closeTab", tab: id }),
          }),
      ),
    ),
    iconButton({
      icon: "plus",
      label: "New tab",
      small: true,
      onClick: () => send({ type: "newTab" }),
    }),
  );
}

function AddressBar({
  state,
  send,
}: {
  readonly state: State;
  readonly send: ScreenSocket["send"];
}): VNode {
  const shown = state.tabs.find(({ id }) => id === state.tab)?.url ?? "";
  const current = shown === "about:blank" ? "" : shown;
  const [text, setText] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setText(undefined), [current, state.tab]);
  return dom.form(
    {
      class: "browser-bar",
      onSubmit: (event) => {
        event.preventDefault();
        const url = toAddress(text ?? current);
        if (url !== "") send({ type: "open", url });
        input.current?.blur();
      },
    },
    iconButton({
      icon: "back",
      label: "Back",
      disabled: !state.canGoBack,
      onClick: () => send({ type: "back" }),
    }),
    iconButton({
      icon: "forward",
      label: "Forward",
      disabled: !state.canGoForward,
      onClick: () => send({ type: "forward" }),
    }),
    state.isLoading
      ? iconButton({ icon: "cross", label: "Stop", onClick: () => send({ type: "stop" }) })
      : iconButton({ icon: "again", label: "Reload", onClick: () => send({ type: "reload" }) }),
    dom.input({
      ref: input,
      class: "input mono grow",
      type: "text",
      inputMode: "url",
      "aria-label": "Address of the page",
      placeholder: "Type an address",
      autocomplete: "off",
      spellcheck: false,
      value: text ?? current,
      onFocus: (event) => event.currentTarget.select(),
      onInput: (event) => setText(event.currentTarget.value),
      onKeyDown: (event) => {
        if (event.key === "Escape") setText(undefined);
      },
    }),
  );
}

function SaveProfile({
  session,
  onClose,
}: {
  readonly session: BrowserSession;
  readonly onClose: () => void;
}): VNode {
  const [name, setName] = useState(session.profile ?? "");
  const [fault, setFault] = useState<Error>();
  const save = (): void => {
    call<{ name: string }>("POST", `/v2/browser/${session.id}/profile`, { body: { name } }).then(
      (saved) => {
        toast(`Saved as ${saved.name}. Scrapes with this profile are logged in as this page is.`);
        onClose();
      },
      (error: unknown) => setFault(error instanceof Error ? error : new Error(String(error))),
    );
  };
  return dialog({
    title: "Save the profile",
    onClose,
    body: dom.form(
      {
        class: "stack",
        onSubmit: (event) => {
          event.preventDefault();
          if (name !== "") save();
        },
      },
      fault !== undefined && errorBox(fault),
      create(Field, {
        label: "Name",
        help: "Cookies, localStorage and IndexedDB of this session, encrypted. An existing profile is replaced.",
        control: (ties) => textInput({ ...ties, value: name, onInput: setName }),
      }),
    ),
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({ label: "Save", kind: "primary", disabled: name.trim() === "", onClick: save }),
    ],
  });
}

const ended = (): VNode =>
  empty({
    icon: "live",
    title: "This session has ended",
    text: "Its profile was saved if it has one. Open another session to continue.",
    action: linkButton(`${LIST}?new=session`, "Open a session", { kind: "primary" }),
  });

export function LiveSession({ id = "" }: ScreenProps): VNode {
  const loaded = useLoad(
    (signal) => call<BrowserSession>("GET", `/v2/browser/${id}`, { signal }),
    [id],
  );
  const [state, setState] = useState<State>();
  const [recorded, setRecorded] = useState<Steps>({ isRecording: false, steps: [] });
  const [chooser, setChooser] = useState<{ readonly isMultiple: boolean }>();
  const [dialogName, setDialogName] = useState<"save" | "end">();
  const [isEnding, setEnding] = useState(false);
  const socket = useRef<ScreenSocket | undefined>(undefined);
  const paint = useRef<((picture: Blob) => void) | undefined>(undefined);
  const send: ScreenSocket["send"] = (input) => socket.current?.send(input);
  const session = loaded.value;
  const viewUrl = session?.interactiveLiveViewUrl ?? "";

  const onReport = (report: ScreenReport): void => {
    if (report.type === "state") setState(report);
    else if (report.type === "steps") setRecorded(report);
    else if (report.type === "chooser") setChooser(report);
    else if (report.type === "notice") toast(report.text, { isBad: true });
    else
      navigator.clipboard.writeText(report.text).then(
        () => toast("Copied from the page."),
        () => toast("The browser does not allow copying here.", { isBad: true }),
      );
  };
  useEffect(() => {
    if (viewUrl === "") return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    socket.current = openScreen(viewUrl, {
      onPicture: (picture) => paint.current?.(picture),
      onReport,
      onClose: () => {
        // The session has ended, or the connection was lost.
        timer = setTimeout(loaded.reload, RETRY_MS);
      },
    });
    return () => {
      clearTimeout(timer);
      socket.current?.close();
    };
  }, [viewUrl, loaded.value]);
  // An address that was given with the session is opened once.
  const first = place.value.query.get("open");
  useEffect(() => {
    if (state === undefined || first === null) return;
    send({ type: "open", url: first });
    setQuery({ open: undefined });
  }, [state === undefined]);

  if (loaded.state === "failed" && session === undefined)
    return loaded.error instanceof ApiError && loaded.error.status === 404
      ? ended()
      : errorBox(loaded.error, loaded.reload);
  if (session === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(2)),
      dom.div({ class: "panel panel-body" }, skeleton(10)),
    );
  const tab = state?.tabs.find((one) => one.id === state.tab);
  const title = [tab?.title, session.title].find((text) => text !== undefined && text !== "");
  const parent = { href: LIST, label: "Live browser" };
  if (session.status === "destroyed")
    return dom.div(
      { class: "stack gap-l" },
      screenHead({ title: title ?? "Session", parent, state: statusBadge("ended") }),
      ended(),
    );
  const end = (): void => {
    setDialogName(undefined);
    setEnding(true);
    call<{ creditsBilled?: number }>("DELETE", `/v2/browser/${id}`).then(
      ({ creditsBilled = 0 }) => {
        toast(`The session ended: ${pluralize(creditsBilled, "credit")}.`);
        loaded.reload();
      },
      (error: unknown) => {
        setEnding(false);
        reportError(error);
      },
    );
  };
  const upload = (files: readonly File[]): void => {
    setChooser(undefined);
    if (files.reduce((sum, { size }) => sum + size, 0) > MAX_UPLOAD_BYTES) {
      toast("The files exceed 5 MB in total.", { isBad: true });
      return;
    }
    void readFiles(files).then((read) => send({ type: "files", files: read }), reportError);
  };
  const { isRecording, steps } = recorded;
  return dom.div(
    { class: "stack" },
    screenHead({
      title: title ?? "New session",
      parent,
      state: [
        statusBadge("active"),
        state !== undefined && create(TimeLeft, state),
        session.profile !== undefined && badge(`profile ${session.profile}`, "gray", "user"),
      ],
      actions: [
        button({
          label: isRecording ? "Stop recording" : "Record steps",
          icon: isRecording ? "stop" : "record",
          onClick: () => send({ type: "record", on: !isRecording }),
        }),
        button({ label: "Save profile", icon: "save", onClick: () => setDialogName("save") }),
        button({
          label: isEnding ? "Ending …" : "End session",
          kind: "danger",
          disabled: isEnding,
          onClick: () => setDialogName("end"),
        }),
      ],
    }),
    dom.div(
      {
        class: classes("live-columns", (isRecording || steps.length > 0) && "with-steps"),
      },
      dom.section(
        { class: "panel browser", "aria-label": "Page" },
        state === undefined
          ? dom.div({ class: "browser-head", "aria-busy": true })
          : dom.div(
              { class: "browser-head" },
              tabStrip(state, send),
              create(AddressBar, { key: state.tab, state, send }),
              dom.span({
                class: classes("browser-loading", state.isLoading && "on"),
                "aria-hidden": true,
              }),
            ),
        chooser !== undefined &&
          dom.div(
            { class: "browser-chooser row wrap", role: "status" },
            icon("upload", { size: 14 }),
            dom.label(
              { class: "row wrap grow" },
              dom.span({ class: "small" }, "The page asks for a file:"),
              dom.input({
                type: "file",
                multiple: chooser.isMultiple,
                onChange: (event) => upload(Array.from(event.currentTarget.files ?? [])),
              }),
            ),
            button({
              label: "Cancel",
              kind: "quiet",
              small: true,
              onClick: () => {
                setChooser(undefined);
                send({ type: "files", files: [] });
              },
            }),
          ),
        remotePage({
          send,
          onReady: (painter) => {
            paint.current = painter;
          },
        }),
      ),
      (isRecording || steps.length > 0) && create(RecordedSteps, { isRecording, steps, send }),
    ),
    dom.p(
      { class: "tiny faint" },
      "Click the picture to type into the page. ",
      dom.span({ class: "key" }, "Shift Esc"),
      " leaves it. Opened menus of a page’s own select fields are not in the picture: choose with the arrow keys.",
    ),
    dialogName === "save" &&
      create(SaveProfile, { session, onClose: () => setDialogName(undefined) }),
    dialogName === "end" &&
      dialog({
        title: "End this session?",
        onClose: () => setDialogName(undefined),
        body:
          session.profile === undefined
            ? "It has no profile: its cookies and logins are lost unless you save them first."
            : `Its state is saved to the profile ${session.profile} if it was opened to save changes.`,
        foot: [
          button({ label: "Keep it open", onClick: () => setDialogName(undefined) }),
          button({ label: "End the session", kind: "danger-fill", onClick: end }),
        ],
      }),
  );
}
