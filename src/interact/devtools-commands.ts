// DevTools commands that a driver of one page may send: those whose effect stays in the page.
// Commands that access files, create contexts or proxies, or control the browser are not listed and
// therefore rejected.

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  Accessibility: [
    "disable",
    "enable",
    "getFullAXTree",
    "getPartialAXTree",
    "queryAXTree",
    "getChildAXNodes",
    "getRootAXNode",
  ],
  CSS: ["disable", "enable", "getComputedStyleForNode", "getMatchedStylesForNode"],
  DOM: [
    "describeNode",
    "disable",
    "enable",
    "focus",
    "getAttributes",
    "getBoxModel",
    "getContentQuads",
    "getDocument",
    "getFrameOwner",
    "getNodeForLocation",
    "getOuterHTML",
    "performSearch",
    "getSearchResults",
    "discardSearchResults",
    "pushNodesByBackendIdsToFrontend",
    "querySelector",
    "querySelectorAll",
    "requestChildNodes",
    "requestNode",
    "resolveNode",
    "scrollIntoViewIfNeeded",
  ],
  DOMSnapshot: ["captureSnapshot", "disable", "enable"],
  Emulation: [
    "clearDeviceMetricsOverride",
    "setDefaultBackgroundColorOverride",
    "setDeviceMetricsOverride",
    "setEmulatedMedia",
    "setFocusEmulationEnabled",
    "setLocaleOverride",
    "setScriptExecutionDisabled",
    "setTimezoneOverride",
    "setTouchEmulationEnabled",
    "setUserAgentOverride",
  ],
  Input: [
    "dispatchKeyEvent",
    "dispatchMouseEvent",
    "dispatchTouchEvent",
    "imeSetComposition",
    "insertText",
    "synthesizeScrollGesture",
    "synthesizeTapGesture",
  ],
  Log: ["clear", "disable", "enable"],
  Network: [
    "clearBrowserCookies",
    "deleteCookies",
    "disable",
    "enable",
    "getCookies",
    "getResponseBody",
    "setCacheDisabled",
    "setCookie",
    "setCookies",
    "setExtraHTTPHeaders",
  ],
  Page: [
    "addScriptToEvaluateOnNewDocument",
    "bringToFront",
    "captureScreenshot",
    "createIsolatedWorld",
    "disable",
    "enable",
    "getFrameTree",
    "getLayoutMetrics",
    "getNavigationHistory",
    "handleJavaScriptDialog",
    "navigate",
    "navigateToHistoryEntry",
    "reload",
    "removeScriptToEvaluateOnNewDocument",
    "screencastFrameAck",
    "setDocumentContent",
    "setLifecycleEventsEnabled",
    "startScreencast",
    "stopLoading",
    "stopScreencast",
  ],
  Performance: ["disable", "enable", "getMetrics"],
  Runtime: [
    "addBinding",
    "awaitPromise",
    "callFunctionOn",
    "disable",
    "discardConsoleEntries",
    "enable",
    "evaluate",
    "getProperties",
    "globalLexicalScopeNames",
    "releaseObject",
    "releaseObjectGroup",
    "removeBinding",
    "runIfWaitingForDebugger",
    "terminateExecution",
  ],
};

type Parameters = Readonly<Record<string, unknown>>;

/** Returns why the command is refused, or undefined if it is allowed. */
export function findRefusalReason(method: string, parameters: Parameters): string | undefined {
  const [domain = "", name = "", ...rest] = method.split(".");
  const commands = Object.hasOwn(ALLOWED, domain) ? ALLOWED[domain] : undefined;
  if (commands?.includes(name) !== true || rest.length > 0)
    return `${method} is not allowed here: only commands that stay in the page are.`;
  if (method === "Page.navigate" && !isWebAddress(parameters["url"]))
    return "Page.navigate takes http and https addresses and about:blank here.";
  return undefined;
}

function isWebAddress(given: unknown): boolean {
  if (given === "about:blank") return true;
  const protocol = typeof given === "string" ? URL.parse(given)?.protocol : undefined;
  return protocol === "http:" || protocol === "https:";
}
