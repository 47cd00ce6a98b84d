/** The place whose law the legal texts follow: another one, or one of your own, is named here. */
export { unitedStates as place } from "./places/united-states.ts";
