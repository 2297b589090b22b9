import about from "../package.json" with { type: "json" };

/** Version of the service, as package.json says. */
export const VERSION: string = about.version;
