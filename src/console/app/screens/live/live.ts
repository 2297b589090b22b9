// Live browser sessions side by side, and the saved profiles.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { loadCapabilities } from "../../data/capabilities.ts";
import { formatBytes, shortenUrl } from "../../data/format.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button, iconButton } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";
import { OpenSession } from "./open-session.ts";
import { createPainter, openScreen } from "./screen-socket.ts";
import {
  formatClock,
  sessionPath,
  type BrowserSession,
  type SavedProfile,
} from "./session-facts.ts";

const REFRESH_MS = 5_000;

type Shown = {
  readonly sessions: readonly BrowserSession[];
  readonly profiles: readonly SavedProfile[];
  /** Why this server opens no sessions. */
  readonly obstacle: string | undefined;
};

async function load(signal: AbortSignal): Promise<Shown> {
  const [{ sessions }, { profiles }, { capabilities }] = await Promise.all([
    call<Pick<Shown, "sessions">>("GET", "/v2/browser", { query: { status: "active" }, signal }),
    call<Pick<Shown, "profiles">>("GET", "/v2/browser/profiles", { signal }),
    loadCapabilities() as Promise<{
      readonly capabilities?: { readonly browser?: { readonly reason?: string } };
    }>,
  ]);
  return { sessions, profiles, obstacle: capabilities?.browser?.reason };
}

/** Live picture of the page, updated while the card is on the screen. */
function Preview({ session }: { readonly session: BrowserSession }): VNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const onPicture = createPainter(() => canvas.current);
    const socket = openScreen(session.liveViewUrl, { onPicture, onClose: () => undefined });
    return () => socket?.close();
  }, [session.liveViewUrl]);
  return dom.canvas({
    ref: canvas,
    class: "session-preview",
    width: 1_280,
    height: 800,
    role: "img",
    "aria-label": `Picture of ${session.title ?? "the page"}`,
  });
}

function card(session: BrowserSession): VNode {
  const { title = "", url = "about:blank", profile } = session;
  const isEmpty = url === "about:blank";
  return dom.li(
    { key: session.id, class: "panel session-card" },
    dom.a(
      { href: sessionPath(session), class: "session-link" },
      create(Preview, { session }),
      dom.span(
        { class: "session-words" },
        dom.strong(
          { class: "truncate", dir: "auto" },
          title === "" ? (isEmpty ? "Empty page" : shortenUrl(url, 40)) : title,
        ),
        dom.span({ class: "url faint truncate" }, isEmpty ? "–" : shortenUrl(url, 48)),
      ),
    ),
    dom.div(
      { class: "session-foot row spread tiny faint" },
      dom.span({ class: "truncate" }, profile === undefined ? "no profile" : `profile ${profile}`),
      dom.span(
        { class: "num no-wrap", title: "Time until the session ends" },
        `${formatClock(Date.parse(session.expiresAt) - Date.now())} left`,
      ),
    ),
  );
}

function profileTable(
  profiles: readonly SavedProfile[],
  onOpen: (name: string) => void,
  onRemove: (name: string) => void,
): VNode {
  return dom.section(
    { class: "panel", "aria-label": "Profiles" },
    dom.div(
      { class: "panel-head" },
      dom.h2({ class: "grow" }, "Profiles"),
      dom.span(
        { class: "tiny faint hide-narrow" },
        "cookies and storage by name, for scrapes and sessions",
      ),
    ),
    dom.div(
      { class: "table-wrap" },
      dom.table(
        { class: "table" },
        dom.caption({ class: "visually-hidden" }, "Profiles"),
        dom.thead(
          null,
          dom.tr(
            null,
            dom.th({ scope: "col" }, "Name"),
            dom.th({ scope: "col" }, "State"),
            dom.th({ scope: "col", class: "end hide-narrow" }, "Size"),
            dom.th({ scope: "col", class: "end" }, "Saved"),
            dom.th({ scope: "col" }, dom.span({ class: "visually-hidden" }, "Actions")),
          ),
        ),
        dom.tbody(
          null,
          ...profiles.map(({ name, savedAt, sizeBytes, inUse }) =>
            dom.tr(
              { key: name },
              dom.td({ class: "prompt-cell" }, dom.span({ class: "clip", dir: "auto" }, name)),
              dom.td(
                null,
                inUse
                  ? badge("in use", "blue", "live")
                  : statusBadge(savedAt === null ? "empty" : "saved"),
              ),
              dom.td({ class: "num end hide-narrow" }, formatBytes(sizeBytes)),
              dom.td({ class: "num end faint" }, time(savedAt)),
              dom.td(
                { class: "end" },
                dom.div(
                  { class: "row end-row" },
                  button({
                    label: "Open",
                    small: true,
                    disabled: inUse,
                    ...(inUse && { title: "A session that may save to it is open." }),
                    onClick: () => onOpen(name),
                  }),
                  iconButton({
                    icon: "trash",
                    label: `Delete the profile ${name}`,
                    small: true,
                    disabled: inUse,
                    onClick: () => onRemove(name),
                  }),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  );
}

export function Live(): VNode {
  const loaded = useLoad(load, []);
  const [removing, setRemoving] = useState<string>();
  const opening = place.value.query.get("new") ?? undefined;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) loaded.reload();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const shown = loaded.value;
  const openButton = button({
    label: "Open a session",
    kind: "primary",
    icon: "plus",
    disabled: shown?.obstacle !== undefined,
    onClick: () => setQuery({ new: "session" }),
  });
  const remove = (name: string): void => {
    setRemoving(undefined);
    call("DELETE", `/v2/browser/profiles/${encodeURIComponent(name)}`).then(() => {
      toast(`The profile ${name} is deleted.`);
      loaded.reload();
    }, reportError);
  };
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Live browser",
      text: "Use a page of the server’s browser by hand: log in, save the profile, record steps.",
      actions: shown !== undefined && shown.sessions.length > 0 && openButton,
    }),
    loaded.state === "failed" && errorBox(loaded.error, loaded.reload),
    shown === undefined &&
      loaded.state === "loading" &&
      dom.div({ class: "panel panel-body" }, skeleton(6)),
    shown?.obstacle !== undefined && dom.div({ class: "notice" }, shown.obstacle),
    shown !== undefined &&
      (shown.sessions.length === 0
        ? empty({
            icon: "live",
            title: "No open sessions",
            text: "Open one, log in to a site, and save the profile. Scrapes with “profile” then see the site as you do.",
            action: openButton,
          })
        : dom.ul({ class: "session-grid" }, ...shown.sessions.map(card))),
    shown !== undefined &&
      shown.profiles.length > 0 &&
      profileTable(
        shown.profiles,
        (name) => setQuery({ new: "session", profile: name }),
        setRemoving,
      ),
    opening !== undefined &&
      shown !== undefined &&
      create(OpenSession, {
        profiles: shown.profiles,
        profile: place.value.query.get("profile") ?? "",
        url: place.value.query.get("url") ?? "",
        onClose: () => setQuery({ new: undefined, profile: undefined, url: undefined }),
        onOpened: (session, address) =>
          navigate(
            address === ""
              ? sessionPath(session)
              : `${sessionPath(session)}?open=${encodeURIComponent(address)}`,
          ),
      }),
    removing !== undefined &&
      dialog({
        title: `Delete the profile ${removing}?`,
        onClose: () => setRemoving(undefined),
        body: "This permanently deletes its cookies and storage. Scrapes that name it start with an empty profile.",
        foot: [
          button({ label: "Keep it", onClick: () => setRemoving(undefined) }),
          button({
            label: "Delete the profile",
            kind: "danger-fill",
            onClick: () => remove(removing),
          }),
        ],
      }),
  );
}
