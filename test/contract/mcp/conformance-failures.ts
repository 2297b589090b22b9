// Checks of the MCP conformance tool that Quarry fails, and why. The test fails for every other one,
// and for those of the list that pass.

type ExpectedFailures = {
  readonly reason: string;
  /** What the tool reports. */
  readonly message: RegExp;
  /** As `scenario/check`. */
  readonly checks: readonly string[];
};

export const EXPECTED_FAILURES: readonly ExpectedFailures[] = [
  {
    reason:
      "Optional features that Quarry does not declare: prompts, completion, log messages and resource subscriptions.",
    message: /Method not found/,
    checks: [
      "caching/sep-2549-prompts-list-caching-hints",
      "completion-complete/completion-complete",
      "input-required-result-non-tool-request/sep-2322-non-tool-incomplete",
      "logging-set-level/logging-set-level",
      "prompts-get-embedded-resource/prompts-get-embedded-resource",
      "prompts-get-simple/prompts-get-simple",
      "prompts-get-with-args/prompts-get-with-args",
      "prompts-get-with-image/prompts-get-with-image",
      "prompts-list/prompts-list",
      "resources-subscribe/resources-subscribe",
      "resources-unsubscribe/resources-unsubscribe",
      "tools-call-with-logging/tools-call-with-logging",
    ],
  },
  {
    reason: "The scenario calls a tool of the conformance suite's own sample server.",
    message:
      /Tool \S+ not found|Tool '\S+' not found|tools\/call for failing_job|Expected InputRequiredResult with|could not get initial InputRequiredResult|routing-task fixture/,
    checks: [
      "elicitation-sep1034-defaults/elicitation-sep1034-general",
      "elicitation-sep1330-enums/elicitation-sep1330-general",
      "input-required-result-basic-elicitation/sep-2322-elicitation-incomplete",
      "input-required-result-basic-list-roots/sep-2322-list-roots-incomplete",
      "input-required-result-basic-sampling/sep-2322-sampling-incomplete",
      "input-required-result-capability-check/sep-2322-respect-client-capabilities",
      "input-required-result-multi-round/sep-2322-multi-round-r1",
      "input-required-result-multiple-input-requests/sep-2322-multiple-inputs-incomplete",
      "input-required-result-request-state/sep-2322-request-state-incomplete",
      "input-required-result-result-type/sep-2322-result-type-included",
      "input-required-result-tampered-state/sep-2322-reject-tampered-state",
      "json-schema-2020-12/json-schema-2020-12-tool-found",
      "tasks-capability-negotiation/sep-2663-server-rejects-undeclared-client",
      "tasks-capability-negotiation/tasks-per-request-meta-opt-in",
      "tasks-dispatch-and-envelope/sep-2663-durable-create-strong-consistency",
      "tasks-dispatch-and-envelope/sep-2663-legacy-task-param-ignored",
      "tasks-dispatch-and-envelope/tasks-immediate-result-shortcut",
      "tasks-dispatch-and-envelope/tasks-result-type-complete-on-non-task-responses",
      "tasks-dispatch-and-envelope/tasks-server-directed-creation-no-hint",
      "tasks-lifecycle/sep-2663-cancel-ack-empty-result",
      "tasks-lifecycle/sep-2663-result-type-task-on-create",
      "tasks-lifecycle/sep-2663-tasks-get-status-failed",
      "tasks-lifecycle/sep-2663-tool-error-uses-completed-status",
      "tasks-lifecycle/tasks-cancel-terminal-idempotent-ack",
      "tasks-lifecycle/tasks-sync-tool-call",
      "tasks-mrtr-composition/sep-2663-mrtr-synchronous-before-task-creation",
      "tasks-mrtr-input/sep-2663-tasks-get-status-input-required",
      "tasks-mrtr-input/tasks-mrtr-partial-fulfillment",
      "tasks-mrtr-input/tasks-mrtr-tasks-update-resumes",
      "tasks-request-headers/sep-2663-routing-headers-accepted-on-tasks-get",
      "tasks-request-headers/sep-2663-server-rejects-mismatched-mcp-name-on-tasks-get",
      "tasks-request-headers/tasks-headers-tolerate-mcp-method-on-tools-call",
      "tasks-request-state-removal/tasks-request-state-removal-setup",
      "tasks-required-task-error/sep-2663-server-returns-missing-capability-when-required",
      "tasks-wire-fields/tasks-no-related-task-meta-on-inlined-result",
      "tasks-wire-fields/tasks-wire-field-renames",
      "tools-call-audio/tools-call-audio",
      "tools-call-elicitation/tools-call-elicitation",
      "tools-call-embedded-resource/tools-call-embedded-resource",
      "tools-call-error/tools-call-error",
      "tools-call-image/tools-call-image",
      "tools-call-mixed-content/tools-call-mixed-content",
      "tools-call-sampling/tools-call-sampling",
      "tools-call-simple-text/tools-call-simple-text",
      "tools-call-with-progress/tools-call-with-progress",
    ],
  },
  {
    reason:
      "The scenario reads a resource of the sample server. Resources here are pages that the caller has read.",
    message: /Resource not found: test:\/\//,
    checks: [
      "resources-read-binary/resources-read-binary",
      "resources-read-text/resources-read-text",
      "resources-templates-read/resources-templates-read",
    ],
  },
  {
    reason:
      "The suite needs a tool of its sample server to exercise the rule, and reports the check as not testable.",
    message: /^Not testable: (?:server (?:exposes no|does not list)|no task was created)/,
    checks: [
      "http-custom-header-server-validation/sep-2243-server-decode-base64",
      "http-custom-header-server-validation/sep-2243-server-no-xmcp-tool",
      "http-custom-header-server-validation/sep-2243-server-reject-invalid-param-chars",
      "http-custom-header-server-validation/sep-2243-server-reject-param-mismatch",
      "http-custom-header-server-validation/sep-2243-server-validate-param-match",
      "server-stateless/sep-2575-http-server-no-independent-requests-on-stream",
      "server-stateless/sep-2575-missing-capability-http-400",
      "server-stateless/sep-2575-server-no-log-without-loglevel",
      "server-stateless/sep-2575-server-rejects-undeclared-capability",
      "tasks-lifecycle/sep-2663-tasks-get-status-completed",
      "tasks-lifecycle/sep-2663-tasks-get-status-working",
      "tasks-wire-fields/tasks-no-early-ttl-expiry",
    ],
  },
];
