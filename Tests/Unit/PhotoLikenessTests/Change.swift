import PhotoRaster

/// Changes that are usual when photos are shared.
enum Change: CaseIterable {
    case none, larger, smaller, tiny, squeezed, darker, paler, grey, noisy, moved

    func raster(of scene: DrawnScene) -> Raster {
        switch self {
        case .none: scene.raster(width: 450, height: 300)
        case .larger: scene.raster(width: 651, height: 433)
        case .smaller: scene.raster(width: 225, height: 150)
        case .tiny: scene.raster(width: 48, height: 32)
        case .squeezed: scene.raster(width: 300, height: 300)
        case .darker: scene.raster(width: 300, height: 200) { $1.map { $0 * 0.8 } }
        case .paler: scene.raster(width: 300, height: 200) { $1.map { 128 + ($0 - 128) * 0.7 } }
        case .grey:
            scene.raster(width: 300, height: 200) { _, color in
                let luminance = 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2]
                return [luminance, luminance, luminance]
            }
        case .noisy:
            scene.raster(width: 300, height: 200) { pixel, color in
                color.map { $0 + Double(pixel &* 7919 % 31) - 15 }
            }
        case .moved: scene.raster(width: 300, height: 200, shift: 0.01)
        }
    }
}
