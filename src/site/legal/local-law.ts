/** The law that the legal texts follow. To change it, export another place or add your own. */
export { unitedStates as localLaw } from "./places/united-states.ts";
