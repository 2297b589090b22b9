/** Host of the address that stands for an uploaded file. It never resolves (RFC 2606 §2). */
export const UPLOAD_HOST = "upload.invalid";
