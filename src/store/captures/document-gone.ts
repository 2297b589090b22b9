/** Message in place of a document whose blob is missing. */
export const documentGone = (url: string): string => `The stored document of ${url} is gone.`;
