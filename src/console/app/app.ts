// The frame of all screens: rail, top bar, and the screen of the address.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { hasExpired, hasScope, isSignedIn, session, signOut } from "./data/session.ts";
import { setTheme, theme } from "./data/theme.ts";
import { connection, watchJobs } from "./data/job-events.ts";
import { isHelpOpen, isPaletteOpen, showKeys } from "./data/keys.ts";
import { listenForKeys } from "./keyboard.ts";
import { isNarrow, rail } from "./rail.ts";
import { place } from "./router.ts";
import { openScreen, type Screen } from "./screens/index.ts";
import type { ScreenProps, ScreenView } from "./screens/screen-view.ts";
import { SignIn } from "./screens/sign-in.ts";
import { KeyHelp, Palette } from "./screens/palette.ts";
import { iconButton } from "./ui/button.ts";
import { dialog } from "./ui/dialog.ts";
import { classes, create, dom } from "./ui/dom.ts";
import { empty, errorBox, skeleton } from "./ui/feedback.ts";
import { icon } from "./ui/icons.ts";
import { menu } from "./ui/menu.ts";
import { Toasts } from "./ui/toast.ts";

function accountMenu(): VNode {
  const { mode, keyName, scopes } = session.value;
  if (mode === "open")
    return dom.span(
      { class: "badge gray", title: "The server asks for no keys and answers this machine only." },
      "no keys",
    );
  return menu({
    label: `Account: ${keyName ?? "key"}`,
    class: "quiet",
    button: [
      icon("user"),
      dom.span({ class: "hide-narrow" }, keyName ?? "key"),
      icon("down", { size: 12 }),
    ],
    items: () => [
      dom.div(
        { class: "menu-note" },
        "Signed in with ",
        dom.strong(null, keyName ?? "a key"),
        dom.br(null),
        scopes.join(", "),
      ),
      dom.button({ type: "button", onClick: () => void signOut() }, icon("out"), "Sign out"),
    ],
  });
}

function topBar(): VNode {
  const next = { system: "light", light: "dark", dark: "system" } as const;
  return dom.header(
    { class: "topbar" },
    dom.button(
      { type: "button", class: "palette-button", onClick: () => (isPaletteOpen.value = true) },
      icon("search", { size: 14 }),
      dom.span({ class: "truncate" }, "Search pages, jobs, screens …"),
      dom.span({ class: "key hide-narrow", "aria-hidden": true }, showKeys("⌘K")),
    ),
    dom.div(
      { class: "topbar-end" },
      accountMenu(),
      iconButton({
        icon: "sun",
        label: `Theme: ${theme.value}`,
        onClick: () => setTheme(next[theme.value]),
      }),
      dom.span(
        { class: "hide-narrow" },
        iconButton({ icon: "help", label: "Keys", onClick: () => (isHelpOpen.value = true) }),
      ),
    ),
  );
}

type LoadedScreen = { readonly of: Screen; readonly view?: ScreenView; readonly error?: Error };

function CurrentScreen({
  screen,
  props,
}: {
  readonly screen: Screen;
  readonly props: ScreenProps;
}): VNode {
  const [loaded, setLoaded] = useState<LoadedScreen>();
  useEffect(() => {
    let isCurrent = true;
    document.title = `${screen.name} – Quarry`;
    screen.load().then(
      (view) => isCurrent && setLoaded({ of: screen, view }),
      (error: unknown) =>
        isCurrent &&
        setLoaded({ of: screen, error: error instanceof Error ? error : new Error(String(error)) }),
    );
    return () => {
      isCurrent = false;
    };
  }, [screen]);
  if (loaded?.of !== screen) return skeleton(4);
  if (loaded.error !== undefined) return errorBox(loaded.error, () => location.reload());
  return create(loaded.view ?? (() => skeleton()), { ...props, key: screen.name });
}

function lacksScope({ scope }: Screen): boolean {
  return scope !== undefined && !hasScope(scope);
}

function screenBody(found: ReturnType<typeof openScreen>): VNode {
  if (found === undefined)
    return empty({
      icon: "search",
      title: "Screen not found",
      text: "No screen has this address. It may belong to another version.",
      action: dom.a({ class: "button", href: "/" }, "Open the playground"),
    });
  const { screen, props } = found;
  if (lacksScope(screen))
    return empty({
      icon: "key",
      title: `${screen.name} needs the scope “${screen.scope ?? ""}”`,
      text: [
        "Your key does not have it. Sign in with one that does, or open a link from ",
        dom.code(null, "npx quarry console"),
        " on the server’s machine.",
      ],
      action: dom.button(
        { type: "button", class: "button", onClick: () => void signOut() },
        "Sign in with another key",
      ),
    });
  return create(CurrentScreen, { screen, props });
}

export function App(): VNode {
  useEffect(listenForKeys, []);
  const followsJobs = isSignedIn.value && !hasExpired.value && hasScope("jobs");
  useEffect(() => (followsJobs ? watchJobs() : undefined), [followsJobs]);
  // A sign-in link replaces any existing session.
  if (!isSignedIn.value || location.hash.startsWith("#sign-in="))
    return create(SignIn, { key: session.value.mode });
  const found = openScreen(place.value.path);
  return dom.div(
    { class: classes("frame", isNarrow.value && "narrow") },
    dom.a({ class: "skip", href: "#content" }, "Skip to the content"),
    rail(found?.screen),
    dom.div(
      { class: "frame-main" },
      topBar(),
      connection.value === "lost" &&
        dom.div(
          { class: "banner", role: "status" },
          icon("warn"),
          "Connection to the server lost. The data may be out of date. Reconnecting …",
        ),
      dom.main({ class: "screen", id: "content", tabIndex: -1 }, screenBody(found)),
    ),
    isPaletteOpen.value && create(Palette, {}),
    isHelpOpen.value && create(KeyHelp, {}),
    hasExpired.value &&
      dialog({
        title: "Sign in again",
        class: "plain",
        bare: true,
        onClose: () => undefined,
        body: create(SignIn, { hasExpired: true }),
      }),
    create(Toasts, {}),
  );
}
