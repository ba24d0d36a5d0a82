// Where the servers of the whole-page tests listen, and the key the service accepts.

export const PAGE_PORT = Number(process.env.ASSENT_PAGE_PORT ?? 8180);
export const SERVICE_PORT = Number(process.env.ASSENT_SERVICE_PORT ?? 8187);
export const PAGE_ORIGIN = `http://127.0.0.1:${PAGE_PORT}`;
export const SERVICE_ORIGIN = `http://127.0.0.1:${SERVICE_PORT}`;
export const API_KEY = process.env.ASSENT_API_KEY ?? "e2e-key";
