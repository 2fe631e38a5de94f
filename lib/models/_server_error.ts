/** What a request did wrong, in the words and shape of OpenAI's interface. */
export interface ServerError {
  readonly status: number;
  readonly message: string;
  readonly type: string;
  /** The field at fault. */
  readonly param?: string;
  readonly code?: string;
}

/** Makes the error of a request whose field is missing or is not as wanted. */
export function badField(param: string, wanted: string): ServerError {
  return {
    status: 400,
    message: `Invalid value for '${param}': it must be ${wanted}.`,
    type: "invalid_request_error",
    param,
    code: "invalid_value",
  };
}

/** Makes the response that tells an error. */
export function errorResponse(error: ServerError, headers: Readonly<Record<string, string>> = {}): Response {
  const { status, message, type, param = null, code = null } = error;
  return Response.json({ error: { message, type, param, code } }, { status, headers });
}
