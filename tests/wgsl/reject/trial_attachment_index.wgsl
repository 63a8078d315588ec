//! error line 3 E0223
enable chromium_internal_input_attachments;
@group(0) @binding(0) var t: input_attachment<f32>;
