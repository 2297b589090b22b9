// Keys that work on every screen. A screen adds its own while it is shown.
import { isHelpOpen, isPaletteOpen, screenKeys } from "./data/keys.ts";
import { navigate } from "./router.ts";
import { SCREENS } from "./screens/index.ts";

/** Looks into shadow roots: the code editor is in one. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

/** A focused control keeps its own Enter. */
function isPressing(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    event.key === "Enter" &&
    target instanceof HTMLElement &&
    target.closest("button, a, summary") !== null
  );
}

/** ⌘K on a Mac, Ctrl K elsewhere. */
const hasCommand = ({ metaKey, ctrlKey }: KeyboardEvent): boolean => metaKey || ctrlKey;

export function listenForKeys(): () => void {
  let isGoing = false;
  const onKey = (event: KeyboardEvent): void => {
    const { key } = event;
    if (hasCommand(event) && key.toLowerCase() === "k") {
      event.preventDefault();
      isPaletteOpen.value = !isPaletteOpen.value;
      return;
    }
    const name = hasCommand(event) && key === "Enter" ? "⌘Enter" : key;
    if (document.querySelector("dialog[open]") !== null) return;
    // After g, a key names a screen, also where the screen has this key.
    const bound = isGoing ? undefined : screenKeys.value.find(({ keys }) => keys === name);
    const isTaken = isTyping(event) || isPressing(event);
    if (bound !== undefined && (name === "⌘Enter" || !isTaken)) {
      event.preventDefault();
      bound.run();
      return;
    }
    if (isTyping(event) || hasCommand(event) || event.altKey) return;
    if (key === "?") isHelpOpen.value = true;
    else if (key === "g") isGoing = true;
    else if (isGoing) {
      isGoing = false;
      const path = SCREENS.find((screen) => screen.key === key)?.paths[0];
      if (path !== undefined) navigate(path);
    } else if (key === "/") {
      const filter = document.querySelector<HTMLElement>("[data-filter]");
      if (filter === null) return;
      event.preventDefault();
      filter.focus();
    }
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}
