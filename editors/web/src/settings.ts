// The settings of our sessions, as an editor has them in its section `frank`.

export const SETTINGS = { lenses: { handlers: false, references: false } };

/** The settings of a session whose answers are shown in dark or light colours. */
export const shownIn = (isDark: boolean): Record<string, unknown> => ({ ...SETTINGS, hover: { theme: isDark ? 'dark' : 'light' } });

/** Settings for runs: only *Stop* ends what takes long, and in the end the limit does. */
export const RUN_SETTINGS = { ...SETTINGS, limits: { timeout: '60s', memory: '512MiB' } };
